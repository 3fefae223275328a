import { isJsonObject, type JsonObject, toJsonObject } from '#lib/http/json-value.ts';
import { createTokenCounter } from '#lib/spend/usage/token-counter.ts';
import { readChatUsage, toChatUsage } from '#lib/spend/usage/token-usage.ts';
import { toOpenAiErrorBody } from '../../error-response.ts';
import { doneFrame, toSingleLine, toSseFrame } from '../../stream/sse-frame.ts';
import {
  type Closing,
  createRelay,
  type RelayCore,
  type StreamRelay,
} from '../../stream/stream-relay.ts';
import { createCutFailure, toUpstreamFailure } from '../../stream/upstream-failure.ts';
import { countReplyBytes } from './delta.ts';
import type { FinishReason } from './finish-reason.ts';
import { readChatFrame } from './read-frame.ts';
import { type ChoiceState, createChoiceState, repairChoice } from './repair-choice.ts';

export type ChatRelayOptions = Readonly<{
  /** Whether the client requested the usage chunk. */
  includeUsage: boolean;
  promptTokensEstimate: number;
  /** Defaults for chunks: an id, a time in Unix seconds, a model. */
  id: string;
  created: number;
  model: string;
}>;

type Head = Readonly<{ id: string; object: string; created: number; model: string }>;

const objectName = 'chat.completion.chunk';

/**
 * Relays a chat stream. A valid chunk is forwarded unchanged; others are repaired. The usage chunk
 * is sent last, and only to clients that requested it.
 */
export function createChatRelay(options: ChatRelayOptions): StreamRelay {
  return createRelay((closing) => createChatCore(options, closing));
}

function createChatCore(options: ChatRelayOptions, { close, fail }: Closing): RelayCore {
  const choices = new Map<number, ChoiceState>();
  const tokens = createTokenCounter(options.promptTokensEstimate);
  let head: Head | null = null;
  let givenUsage: JsonObject = {};

  function takeUsage(value: JsonObject): void {
    tokens.report(readChatUsage(value));
    givenUsage = value;
  }

  function takeChoice(choice: JsonObject): JsonObject {
    const index = Number.isSafeInteger(choice.index) ? Number(choice.index) : 0;
    let state = choices.get(index);
    if (state === undefined) {
      state = createChoiceState();
      choices.set(index, state);
    }
    const repaired = repairChoice(choice, index, state);
    tokens.addReplyBytes(countReplyBytes(toJsonObject(repaired.delta)));
    return repaired;
  }

  function takeChunk(chunk: JsonObject, data: string): string {
    if (isJsonObject(chunk.usage)) takeUsage(chunk.usage);
    // Without choices it is the usage chunk, or a vendor's preface.
    if (!Array.isArray(chunk.choices) || chunk.choices.length === 0) return '';
    head ??= toHead(chunk, options);
    let isWhole = isWholeChunk(chunk, head) && !isJsonObject(chunk.usage);
    const repaired: JsonObject[] = [];
    for (const choice of chunk.choices) {
      const one = takeChoice(toJsonObject(choice));
      isWhole &&= one === choice;
      repaired.push(one);
    }
    const failed = repaired.find(({ finish_reason }) => finish_reason === 'error');
    if (failed !== undefined) return fail(toUpstreamFailure(failed.error));
    if (isWhole) return toSseFrame(withoutNullUsage(toSingleLine(data), chunk));
    const { error: _, usage: __, ...rest } = chunk;
    return toSseFrame(JSON.stringify({ ...rest, ...head, choices: repaired }));
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
    const finishChoices = unfinished.map(([index, { hasRole, toolCallIds }]) => ({
      index,
      delta: hasRole ? {} : { role: 'assistant', content: '' },
      finish_reason: reason ?? (toolCallIds.length > 0 ? 'tool_calls' : 'stop'),
    }));
    let text =
      finishChoices.length === 0
        ? ''
        : toSseFrame(JSON.stringify({ ...head, choices: finishChoices }));
    if (options.includeUsage) {
      const counts = toChatUsage(tokens.usage, givenUsage);
      text += toSseFrame(JSON.stringify({ ...head, choices: [], usage: counts }));
    }
    return text + doneFrame;
  }

  function isFinished(): boolean {
    return [...choices.values()].every((state) => state.finishReason !== null);
  }

  function endByLength(): string {
    if (choices.size === 0) choices.set(0, createChoiceState());
    return finishWith(head ?? toHead({}, options), 'length');
  }

  const handlers = { takeChunk, takeDone: finish, fail };
  return {
    tokens,
    push: (frame) => readChatFrame(frame, handlers),
    end() {
      return isFinished() ? finish() : fail(createCutFailure());
    },
    endByLength,
    awaitsUsage: () => choices.size > 0 && isFinished(),
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
function isWholeChunk(chunk: JsonObject, head: Head): boolean {
  return (
    chunk.id === head.id &&
    chunk.created === head.created &&
    chunk.model === head.model &&
    chunk.object === objectName &&
    !('error' in chunk)
  );
}
