import { isJsonObject, type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { parseUpstreamSource } from '../json/parse-json.ts';
import { writeJson } from '../json/source-text.ts';

/** The chunk that has all of a complete reply, which some servers send to a request for a stream; null: it is none. */
export function toChunk(text: string): string | null {
  const reply = parseUpstreamSource(text);
  const choices = toJsonArray(reply?.choices).map(toJsonObject);
  const isReply = choices.length > 0 && choices.every(({ message }) => isJsonObject(message));
  if (reply === null || !isReply) return null;
  return writeJson({
    ...reply,
    object: 'chat.completion.chunk',
    choices: choices.map(toChunkChoice),
  });
}

function toChunkChoice({ message, ...choice }: JsonObject): JsonObject {
  const received = toJsonObject(message);
  const calls = toJsonArray(received.tool_calls).map(toJsonObject);
  const delta = {
    ...received,
    ...(calls.length > 0 && { tool_calls: calls.map((call, index) => ({ ...call, index })) }),
  };
  return { ...choice, delta, finish_reason: choice.finish_reason ?? 'stop' };
}
