import { setImmediate as nextTurn } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { createOverflowFailure, replyBytesMax } from '../upstreams/errors/upstream-failure.ts';
import { readCalls, readFinishReason, toContentText, toDelta } from './chat/choice.ts';
import { ToolCalls } from './chat/tool-calls.ts';
import { parseUpstreamSource } from './json/parse-json.ts';
import { writeJson } from './json/source-text.ts';

/** Characters that are read in one turn of the event loop. */
const stepLength = 128 * 1024;

/**
 * The JSON of a complete reply, also of one that a server has sent as a stream for a request without `stream`, or ends like one.
 * A stream that was cut stays as it is. It is read in steps between which other requests run. @throws HttpError for one that is too long
 */
export async function toCompleteJson(text: string): Promise<string> {
  if (!/^\s*(?:data|event|id|retry)?:/.test(text)) {
    const [end = ''] = /data: ?\[DONE\]\s*$/.exec(text.slice(-32)) ?? [];
    return text.slice(0, text.length - end.length);
  }
  if (text.length > replyBytesMax) throw createOverflowFailure();
  const reply = collect(await readEvents(text), /^data: ?\[DONE\]/m.test(text));
  return reply === null ? text : writeJson(reply);
}

function collect(events: readonly JsonObject[], isDone: boolean): JsonObject | null {
  const failed = events.find(({ type, error }) => type === 'error' || (error ?? null) !== null);
  if (failed !== undefined) return { error: failed.error ?? failed };
  const types = events.map(({ type }) => toText(type));
  if (types.some((type) => type.startsWith('response.'))) return collectResponse(events);
  return types.includes('message_start')
    ? collectMessage(events)
    : collectCompletion(events, isDone);
}

async function readEvents(text: string): Promise<readonly JsonObject[]> {
  const events: JsonObject[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      const received = parseUpstreamSource(data);
      if (received !== null)
        events.push({ ...(event !== undefined && { type: event }), ...received });
    },
  });
  for (let at = 0; at < text.length; at += stepLength) {
    if (at > 0) await nextTurn();
    parser.feed(text.slice(at, at + stepLength));
  }
  parser.feed('\n\n');
  return events;
}

const responseEnds = [
  'response.completed',
  'response.done',
  'response.incomplete',
  'response.failed',
];

function collectResponse(events: readonly JsonObject[]): JsonObject | null {
  const end = events.find(({ type }) => responseEnds.includes(toText(type)));
  if (end === undefined) return null;
  const response = toJsonObject(end.response);
  if (toJsonArray(response.output).length > 0) return response;
  const done = events.filter(({ type }) => type === 'response.output_item.done');
  return { ...response, output: done.map(({ item }) => item) };
}

function collectMessage(events: readonly JsonObject[]): JsonObject | null {
  let message: JsonObject = {};
  const blocks: JsonObject[] = [];
  for (const event of events) {
    const delta = toJsonObject(event.delta);
    if (event.type === 'message_start') message = toJsonObject(event.message);
    if (event.type === 'content_block_start') blocks.push(toJsonObject(event.content_block));
    if (event.type === 'content_block_delta') {
      blocks.push(addToBlock(blocks.pop() ?? {}, delta));
    }
    if (event.type === 'message_delta') {
      const usage = { ...toJsonObject(message.usage), ...toJsonObject(event.usage) };
      message = { ...message, ...delta, usage };
    }
  }
  return toText(message.stop_reason) === '' ? null : { ...message, content: blocks };
}

/** Blocks of a message come one after the other. The input of a call is JSON text until it is read. */
function addToBlock(
  block: JsonObject,
  { type: _, partial_json, ...added }: JsonObject,
): JsonObject {
  const texts = Object.entries(added).map(([name, text]) => [
    name,
    toText(block[name]) + toText(text),
  ]);
  const input =
    partial_json === undefined ? block.input : toText(block.input) + toText(partial_json);
  return { ...block, ...Object.fromEntries(texts), ...(input !== undefined && { input }) };
}

type Choice = {
  readonly texts: Map<string, string>;
  readonly calls: ToolCalls;
  readonly pieces: { id: string; name: string; text: string }[];
  end: JsonObject | null;
};

const chatTexts = ['refusal', 'reasoning_content', 'reasoning'] as const;

/** @param isDone whether the stream says that it is complete, as some do without a reason. */
function collectCompletion(events: readonly JsonObject[], isDone: boolean): JsonObject | null {
  const choices = new Map<number, Choice>();
  let usage: unknown;
  for (const chunk of events) {
    if (isJsonObject(chunk.usage)) usage = chunk.usage;
    for (const received of toJsonArray(chunk.choices).map(toJsonObject)) {
      const index = Number(received.index ?? 0);
      const choice = choices.get(index) ?? createChoice();
      choices.set(index, choice);
      addToChoice(choice, toDelta(received));
      if (readFinishReason(received) !== null) choice.end = received;
    }
  }
  const collected = [...choices].map(([index, choice]) => toChoice(index, choice));
  const isCut = !isDone && [...choices.values()].some(({ end }) => end === null);
  if (collected.length === 0 || isCut) return null;
  const { choices: _, object: __, ...head } = events[0] ?? {};
  return { ...head, choices: collected, usage };
}

function createChoice(): Choice {
  return { texts: new Map(), calls: new ToolCalls(), pieces: [], end: null };
}

function addToChoice({ texts, calls, pieces }: Choice, delta: JsonObject): void {
  const add = (name: string, text: string) => {
    if (text !== '') texts.set(name, (texts.get(name) ?? '') + text);
  };
  add('content', toContentText(delta.content));
  for (const name of chatTexts) add(name, toText(delta[name]));
  for (const call of readCalls(delta)) {
    for (const { index, id, name, text } of calls.take(call)) {
      const piece = pieces[index] ?? { id: '', name: '', text: '' };
      pieces[index] = {
        id: piece.id || id,
        name: piece.name || name,
        text: piece.text + text,
      };
    }
  }
}

function toChoice(index: number, { texts, pieces, end }: Choice): JsonObject {
  const { delta: _, ...rest } = end ?? {};
  const calls = pieces.map(({ id, name, text }) => ({ id, function: { name, arguments: text } }));
  const message = { ...Object.fromEntries(texts), ...(calls.length > 0 && { tool_calls: calls }) };
  return { ...rest, index, message };
}

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
  const calls = readCalls(received);
  const delta = {
    ...received,
    ...(calls.length > 0 && { tool_calls: calls.map((call, index) => ({ ...call, index })) }),
  };
  return { ...choice, delta, finish_reason: choice.finish_reason ?? 'stop' };
}
