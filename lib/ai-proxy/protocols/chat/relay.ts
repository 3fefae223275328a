import type { EventSourceMessage } from 'eventsource-parser';
import { isJsonObject, type JsonObject, toJsonObject } from '#lib/http/json-value.ts';
import { readChatUsage, toChatUsage } from '#lib/spend/usage/token-usage.ts';
import { toOpenAiErrorBody } from '../../error-response.ts';
import {
  doneFrame,
  type RelayContext,
  type RelayCore,
  StreamRelay,
  toSingleLine,
  toSseFrame,
} from '../../stream/stream-relay.ts';
import { createCutFailure } from '../../upstreams/errors/failure.ts';
import { toUpstreamFailure } from '../../upstreams/errors/upstream-error.ts';
import { countReplyBytes, type FinishReason, readFinishReason, toShownReason } from './choice.ts';
import { repairToolCalls, withEndOfCalls } from './repair-tool-calls.ts';
import { ToolCalls } from './tool-calls.ts';

export type ChatRelayOptions = Readonly<{
  /** Whether the client requested the usage chunk. */
  includeUsage: boolean;
  promptTokensEstimate: number;
  /** Defaults for chunks: an id, a time in Unix seconds, a model. */
  id: string;
  created: number;
  model: string;
  /** For calls without one. */
  newCallId: () => string;
}>;

type Head = Readonly<{ id: string; object: string; created: number; model: string }>;

const objectName = 'chat.completion.chunk';

/**
 * Relays a chat stream. A valid chunk is forwarded unchanged; others are repaired. The usage chunk
 * is sent last, and only to clients that requested it.
 */
export function createChatRelay(options: ChatRelayOptions): StreamRelay {
  return new StreamRelay(options.promptTokensEstimate, (context) =>
    createChatCore(options, context),
  );
}

function createChatCore(
  options: ChatRelayOptions,
  { tokens, close, fail }: RelayContext,
): RelayCore {
  const choices = new Map<number, ChoiceState>();
  let head: Head | null = null;
  let reportedUsage: JsonObject = {};

  function push(chunk: JsonObject, message: EventSourceMessage): string {
    const { usage } = chunk;
    if (!isJsonObject(usage)) return takeChunk(chunk, message);
    const report = readChatUsage(usage);
    tokens.report(report);
    reportedUsage = { ...reportedUsage, ...usage };
    const text = takeChunk(chunk, message);
    if (report !== null && isFinished()) tokens.markComplete();
    return text;
  }

  function takeChunk(chunk: JsonObject, { event, data }: EventSourceMessage): string {
    if (event === 'error' || (chunk.error ?? null) !== null) {
      return fail(toUpstreamFailure(chunk.error ?? chunk));
    }
    const received = chunk.choices;
    // Without choices it is the usage chunk, or a vendor's preface.
    if (!Array.isArray(received) || received.length === 0) return '';
    head ??= toHead(chunk, options);
    let repaired: unknown[] = received;
    for (let at = 0; at < received.length; at++) {
      const choice = takeChoice(toJsonObject(received[at]));
      if (choice.finish_reason === 'error') return fail(toUpstreamFailure(choice.error));
      if (choice === received[at]) continue;
      if (repaired === received) repaired = [...received];
      repaired[at] = choice;
    }
    if (repaired === received && isValidChunk(chunk, head)) {
      return toSseFrame(withoutNullUsage(toSingleLine(data), chunk));
    }
    const { error: _, usage: __, ...rest } = chunk;
    return toSseFrame(JSON.stringify({ ...rest, ...head, choices: repaired }));
  }

  function takeChoice(choice: JsonObject): JsonObject {
    const index = Number.isSafeInteger(choice.index) ? Number(choice.index) : 0;
    let state = choices.get(index);
    if (state === undefined) {
      state = createChoiceState();
      choices.set(index, state);
    }
    const repaired = repairChoice(choice, index, state, options.newCallId);
    tokens.addReplyBytes(countReplyBytes(toJsonObject(repaired.delta)));
    return repaired;
  }

  /** The upstream has finished: missing chunks are added. */
  function finish(): string {
    if (head === null) return fail(createCutFailure());
    return finishWith(head, null);
  }

  /** @param reason of choices without one; null: it follows from what they contain */
  function finishWith(head: Head, reason: FinishReason | null): string {
    close();
    const unfinished = [...choices].filter(([, { finishReason }]) => finishReason === null);
    const finishChoices = unfinished.map(([index, { hasRole, calls }]) => ({
      index,
      delta: withEndOfCalls(hasRole ? {} : { role: 'assistant', content: '' }, calls),
      finish_reason: reason ?? toShownReason('stop', calls.count > 0),
    }));
    let text =
      finishChoices.length === 0
        ? ''
        : toSseFrame(JSON.stringify({ ...head, choices: finishChoices }));
    if (options.includeUsage) {
      const counts = toChatUsage(tokens.usage, reportedUsage);
      text += toSseFrame(JSON.stringify({ ...head, choices: [], usage: counts }));
    }
    return text + doneFrame;
  }

  function isFinished(): boolean {
    return choices.size > 0 && [...choices.values()].every((state) => state.finishReason !== null);
  }

  function endByLength(): string {
    if (choices.size === 0) choices.set(0, createChoiceState());
    return finishWith(head ?? toHead({}, options), 'length');
  }

  return {
    push,
    takeUsage: ({ usage }) => tokens.report(readChatUsage(usage)),
    end: () => (isFinished() ? finish() : fail(createCutFailure())),
    takeDone: finish,
    endByLength,
    awaitsUsage: isFinished,
    writeFailure: (error) => toSseFrame(JSON.stringify(toOpenAiErrorBody(error))) + doneFrame,
  };
}

function toHead(chunk: JsonObject, { id, created, model }: ChatRelayOptions): Head {
  return {
    id: typeof chunk.id === 'string' && chunk.id !== '' ? chunk.id : id,
    object: objectName,
    created: Number.isSafeInteger(chunk.created) ? Number(chunk.created) : created,
    model: typeof chunk.model === 'string' && chunk.model !== '' ? chunk.model : model,
  };
}

const nullUsage = ',"usage":null}';

/** If usage is requested, OpenAI ends every chunk with `"usage":null`, which breaks one client. */
function withoutNullUsage(data: string, chunk: JsonObject): string {
  if (chunk.usage !== null) return data;
  if (data.endsWith(nullUsage)) return `${data.slice(0, -nullUsage.length)}}`;
  const { usage: _, ...rest } = chunk;
  return JSON.stringify(rest);
}

/** Whether a chunk has all common fields, and no field that breaks clients. */
function isValidChunk(chunk: JsonObject, head: Head): boolean {
  return (
    chunk.id === head.id &&
    chunk.created === head.created &&
    chunk.model === head.model &&
    chunk.object === objectName &&
    !('error' in chunk) &&
    !isJsonObject(chunk.usage)
  );
}

/** The state of one choice of a streamed chat. */
type ChoiceState = {
  hasRole: boolean;
  finishReason: FinishReason | 'error' | null;
  readonly calls: ToolCalls;
};

function createChoiceState(): ChoiceState {
  return { hasRole: false, finishReason: null, calls: new ToolCalls() };
}

/**
 * Adds what clients need to a choice of a chunk: an index, a delta, the role in the first one, a
 * known finish reason, the indices of tool calls. Returns the same object if nothing is missing.
 */
function repairChoice(
  choice: JsonObject,
  index: number,
  state: ChoiceState,
  newCallId: () => string,
): JsonObject {
  const received = choice.delta;
  let delta = toJsonObject(received);
  if (delta.role === 'assistant') {
    state.hasRole = true;
  } else if (!state.hasRole) {
    state.hasRole = true;
    delta = { ...delta, role: 'assistant' };
  }
  if (delta.tool_calls !== undefined) delta = repairToolCalls(delta, state.calls, newCallId);
  const finishReason = toShownReason(readFinishReason(choice), state.calls.count > 0);
  if (finishReason !== null) {
    state.finishReason = finishReason;
    delta = withEndOfCalls(delta, state.calls);
  }
  const isValid =
    delta === received && choice.index === index && choice.finish_reason === finishReason;
  return isValid ? choice : { ...choice, index, delta, finish_reason: finishReason };
}
