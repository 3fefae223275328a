import type { JsonObject } from '#lib/http/json-value.ts';
import { parseArguments } from '../json/arguments.ts';
import type { Citation } from './citations.ts';
import type { ReasoningCollector } from './reasoning.ts';

/** Text of one kind within an item; a message may have several parts. */
export type ReplyPart = {
  readonly kind: 'text' | 'refusal' | 'reasoning' | 'arguments';
  text: string;
};

/** One item of a reply: what other protocols send as an output item or a content block. */
export type ReplyItem = {
  readonly kind: 'message' | 'reasoning' | 'call';
  /** `waiting`: another item is being sent. `cut`: the reply ended within it. */
  status: 'waiting' | 'open' | 'complete' | 'cut';
  /** Its place in the reply, from when it is opened. */
  index: number;
  readonly parts: ReplyPart[];
  /** Of a message: the sources of its text. */
  readonly citations: Citation[];
  /** Of a call, as the upstream named it, or a new one. */
  callId: string;
  name: string;
  /** Of a call, what is not shown. */
  readonly reasoning: ReasoningCollector;
  /** Of a call: its arguments, once they are complete JSON; see `readArguments`. */
  parsedArguments: JsonObject | null;
  checkedLength: number;
};

export function createItem(kind: ReplyItem['kind'], reasoning: ReasoningCollector): ReplyItem {
  return {
    kind,
    status: 'waiting',
    index: -1,
    parts: [],
    citations: [],
    callId: '',
    name: '',
    reasoning,
    parsedArguments: null,
    checkedLength: 0,
  };
}

export function isClosed({ status }: ReplyItem): boolean {
  return status === 'complete' || status === 'cut';
}

export function isReady({ kind, name }: ReplyItem): boolean {
  return kind !== 'call' || name !== '';
}

/** Whether it may be closed as soon as another item follows. */
export function isComplete(item: ReplyItem): boolean {
  return item.kind !== 'call' || readArguments(item) !== null;
}

export function isCut(item: ReplyItem): boolean {
  return toItemText(item) !== '' && !isComplete(item);
}

/** The arguments of a call; null if they are no complete JSON object. */
export function readArguments(item: ReplyItem): JsonObject | null {
  const text = item.parts[0]?.text ?? '';
  // Read repeatedly while other calls wait, so they are only parsed when they have grown.
  if (item.checkedLength !== text.length) {
    item.checkedLength = text.length;
    item.parsedArguments = text.trimEnd().endsWith('}') ? parseArguments(text) : null;
  }
  return item.parsedArguments;
}

export function toItemText({ parts }: ReplyItem): string {
  return parts.map(({ text }) => text).join('');
}
