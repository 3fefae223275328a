import type { EventSourceMessage } from 'eventsource-parser';
import type { HttpError } from '#lib/http/errors/errors.ts';
import { isJsonObject, type JsonObject, toJsonObject } from '#lib/http/json-value.ts';
import { findChatUsage, readChatUsage } from '#lib/spend/usage/read-usage.ts';
import { toChatUsage } from '#lib/spend/usage/write-usage.ts';
import { toOpenAiErrorBody } from '../../error-response.ts';
import {
  doneFrame,
  type RelayContext,
  type RelayCore,
  StreamRelay,
  toSingleLine,
  toSseFrame,
} from '../../stream/stream-relay.ts';
import { createCutFailure } from '../../upstreams/errors/upstream-failure.ts';
import { keepSource, writeJson } from '../json/source-text.ts';
import { withKnownTier } from '../read-result.ts';
import {
  countReplyBytes,
  type FinishReason,
  hasJsonInDelta,
  isEmptyDelta,
  readChoiceFailure,
  readChunkFailure,
  readFinishReason,
  toDelta,
  toPlainReply,
  toShownReason,
  toToolCalls,
  withLogprobs,
} from './choice.ts';
import { repairToolCalls, ToolCalls, withEndOfCalls } from './tool-calls.ts';

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
  /** Whether the client has sent tools, so that it does not know calls in the form before them. */
  hasTools?: boolean;
}>;

type Head = Readonly<{ id: string; object: string; created: number; model: string }>;

const objectName = 'chat.completion.chunk';

/**
 * Relays a chat stream. A valid chunk is forwarded unchanged; others are repaired. The usage chunk
 * is sent last, and only to clients that requested it.
 */
export function createChatRelay(options: ChatRelayOptions): StreamRelay {
  return new StreamRelay(
    options.promptTokensEstimate,
    (context) => new ChatRelay(options, context),
  );
}

/** A chat stream for clients of chat. */
class ChatRelay implements RelayCore {
  readonly #options: ChatRelayOptions;
  readonly #context: RelayContext;
  readonly #choices = new Map<number, ChoiceState>();
  #head: Head | null = null;
  #reportedUsage: JsonObject = {};
  #hasUsageOfAll = false;

  constructor(options: ChatRelayOptions, context: RelayContext) {
    this.#options = options;
    this.#context = context;
  }

  replyId(): string | null {
    return this.#head?.id ?? null;
  }

  awaitsUsage(): boolean {
    const states = [...this.#choices.values()];
    return states.length > 0 && states.every(({ finishReason }) => finishReason !== null);
  }

  push(chunk: JsonObject, message: EventSourceMessage): string {
    const { tokens } = this.#context;
    const text = this.#takeChunk(chunk, message);
    const usage = findChatUsage(chunk);
    if (usage !== null) {
      tokens.report(readChatUsage(chunk));
      this.#reportedUsage = { ...this.#reportedUsage, ...usage };
      // A choice reports its own usage, not that of others.
      this.#hasUsageOfAll = usage === chunk.usage || this.#choices.size === 1;
    }
    if (this.#hasUsageOfAll && this.awaitsUsage()) tokens.markComplete();
    return text;
  }

  takeUsage(chunk: JsonObject): void {
    this.#context.tokens.report(readChatUsage(chunk));
  }

  end(): string {
    return this.awaitsUsage() ? this.takeDone() : this.#context.fail(createCutFailure());
  }

  /** The upstream has finished: missing chunks are added. */
  takeDone(): string {
    if (this.#head === null) return this.#context.fail(createCutFailure());
    return this.#finish(this.#head, null);
  }

  endByLength(): string {
    if (this.#choices.size === 0) this.#choices.set(0, createChoiceState());
    return this.#finish(this.#head ?? toHead({}, this.#options), 'length');
  }

  writeFailure(error: HttpError): string {
    return toSseFrame(JSON.stringify(toOpenAiErrorBody(error))) + doneFrame;
  }

  #takeChunk(chunk: JsonObject, { event, data }: EventSourceMessage): string {
    const { fail, tokens } = this.#context;
    const reported = readChunkFailure(chunk, event, () => tokens.replyBytes);
    if (reported !== null) return fail(reported);
    const received = chunk.choices;
    // Without choices it is the usage chunk, or a vendor's preface.
    if (!Array.isArray(received) || received.length === 0) return '';
    this.#head ??= toHead(chunk, this.#options);
    if (received.some(hasJsonInDelta)) keepSource(chunk, data);
    let repaired: unknown[] = received;
    for (let at = 0; at < received.length; at++) {
      const raw = toJsonObject(received[at]);
      const choice = this.#takeChoice(raw);
      const failure = readChoiceFailure(raw, () => tokens.replyBytes);
      if (failure !== null) return fail(failure);
      if (choice === received[at]) continue;
      if (repaired === received) repaired = [...received];
      repaired[at] = choice;
    }
    if (repaired === received && isValidChunk(chunk, this.#head)) {
      return toSseFrame(withoutNullUsage(toSingleLine(data), chunk));
    }
    keepSource(chunk, data);
    const { error: _, usage: __, ...rest } = chunk;
    return toSseFrame(writeJson({ ...withKnownTier(rest), ...this.#head, choices: repaired }));
  }

  #takeChoice(choice: JsonObject): JsonObject {
    const index = Number.isSafeInteger(choice.index) ? Number(choice.index) : 0;
    let state = this.#choices.get(index);
    if (state === undefined) {
      state = createChoiceState();
      this.#choices.set(index, state);
    }
    const bytes = countReplyBytes(toDelta(choice));
    state.isBegun ||= bytes > 0;
    this.#context.tokens.addReplyBytes(bytes);
    return repairChoice(choice, index, state, this.#options);
  }

  /** @param reason of choices without one; null: it follows from what they contain */
  #finish(head: Head, reason: FinishReason | null): string {
    this.#context.close();
    const open = [...this.#choices].filter(([, { isEnded }]) => !isEnded);
    const choices = open.map(([index, { hasRole, calls, finishReason }]) => ({
      index,
      delta: withEndOfCalls(hasRole ? {} : { role: 'assistant', content: '' }, calls),
      finish_reason: finishReason ?? reason ?? toShownReason('stop', calls.count > 0),
    }));
    const ending = choices.length === 0 ? '' : toSseFrame(JSON.stringify({ ...head, choices }));
    if (!this.#options.includeUsage) return ending + doneFrame;
    const usage = toChatUsage(this.#context.tokens.usage, this.#reportedUsage);
    return ending + toSseFrame(JSON.stringify({ ...head, choices: [], usage })) + doneFrame;
  }
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
  keepSource(chunk, data);
  const { usage: _, ...rest } = chunk;
  return writeJson(rest);
}

/** Whether a chunk has all common fields, and no field that breaks clients. */
function isValidChunk(chunk: JsonObject, head: Head): boolean {
  return (
    chunk.id === head.id &&
    chunk.created === head.created &&
    chunk.model === head.model &&
    chunk.object === objectName &&
    !('error' in chunk) &&
    withKnownTier(chunk) === chunk &&
    !isJsonObject(chunk.usage)
  );
}

/** The state of one choice of a streamed chat. */
type ChoiceState = {
  hasRole: boolean;
  /** Something of the reply has come. */
  isBegun: boolean;
  /** As the upstream has named it last. */
  finishReason: FinishReason | null;
  /** The client has got it. */
  isEnded: boolean;
  readonly calls: ToolCalls;
};

function createChoiceState(): ChoiceState {
  return {
    hasRole: false,
    isBegun: false,
    finishReason: null,
    isEnded: false,
    calls: new ToolCalls(),
  };
}

/**
 * Adds what clients need to a choice of a chunk: an index, a delta, the role in the first one, a
 * known finish reason, the indices of tool calls. Returns the same object if nothing is missing.
 */
function repairChoice(
  choice: JsonObject,
  index: number,
  state: ChoiceState,
  { newCallId, hasTools = false }: ChatRelayOptions,
): JsonObject {
  const received = choice.delta;
  let delta = toPlainReply(toDelta(choice));
  if (hasTools) delta = toToolCalls(delta);
  if (delta.role === 'assistant') {
    state.hasRole = true;
  } else if (!state.hasRole) {
    state.hasRole = true;
    delta = { ...delta, role: 'assistant' };
  } else if (delta.role !== undefined) {
    // Strict clients reject another one: `null` or an empty text.
    const { role: _, ...rest } = delta;
    delta = rest;
  }
  if (delta.tool_calls !== undefined) delta = repairToolCalls(delta, state.calls, newCallId);
  const reason = toShownReason(readFinishReason(choice), state.calls.count > 0);
  state.finishReason = reason ?? state.finishReason;
  // Some servers name a reason in every chunk, or in the first, on which clients would end: it follows the last one.
  const isEnd = reason !== null && state.isBegun && !state.isEnded && isEmptyDelta(delta);
  if (isEnd) {
    state.isEnded = true;
    delta = withEndOfCalls(delta, state.calls);
  }
  const shown = isEnd ? reason : null;
  const known = withLogprobs(choice);
  const isValid = delta === received && choice.index === index && choice.finish_reason === shown;
  if (isValid) return known;
  const { message: _, ...rest } = known;
  return { ...rest, index, delta, finish_reason: shown };
}
