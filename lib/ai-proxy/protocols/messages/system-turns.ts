import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';

/** System messages within a conversation as texts of the user, in one turn with what stands beside them. */
export function foldSystemTurns(messages: readonly JsonObject[]): readonly JsonObject[] {
  if (messages.every(({ role }) => role !== 'system')) return messages;
  const folded: JsonObject[] = [];
  for (const message of messages) {
    const turn = message.role === 'system' ? { ...message, role: 'user' } : message;
    const last = folded.at(-1);
    if (turn.role !== 'user' || last?.role !== 'user') folded.push(turn);
    else folded[folded.length - 1] = join(last, turn);
  }
  return folded;
}

/** Results of tools come first in their turn. */
function join(before: JsonObject, after: JsonObject): JsonObject {
  const blocks = [...toBlocks(before), ...toBlocks(after)];
  const isResult = ({ type }: JsonObject) => type === 'tool_result';
  const others = blocks.filter((block) => !isResult(block));
  return { ...before, content: [...blocks.filter(isResult), ...others] };
}

function toBlocks({ content }: JsonObject): readonly JsonObject[] {
  return Array.isArray(content)
    ? toJsonArray(content).map(toJsonObject)
    : [{ type: 'text', text: toText(content) }];
}
