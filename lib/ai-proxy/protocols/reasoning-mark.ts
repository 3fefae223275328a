import { hash } from 'node:crypto';
import type { JsonObject } from '#lib/http/json-value.ts';

/** Encrypted reasoning names the upstream that can read it: `mq2.<mark>.<what the upstream sent>`. */
const marked = /^mq2\.([0-9a-f]{12})\.(.*)$/s;

/** How a request gives reasoning back to an upstream, and how its reply is marked. */
export type ReasoningMark = Readonly<{
  /** Of the upstream. */
  own: string;
  /** Replies are marked only where another upstream could get them. */
  isWritten: boolean;
  /** Leaves out all encrypted reasoning: the upstream has rejected it. */
  isLeftOut?: boolean;
}>;

/** The same in every process: of the upstream’s name. */
export function toMark(upstream: string): string {
  return hash('sha256', `upstream ${upstream}`).slice(0, 12);
}

/** In encrypted reasoning, or in a token of a translated reply (`chat/reasoning.ts`). */
export function findMark(token: unknown): string | null {
  return typeof token === 'string' ? (/^mq[12]\.([0-9a-f]{12})\./.exec(token)?.[1] ?? null) : null;
}

/** What this upstream has sent, or may have; null: it cannot read it. */
export function toOwnReasoning(token: string, { own, isLeftOut = false }: ReasoningMark) {
  const [, mark = own, text = token] = marked.exec(token) ?? [];
  return isLeftOut || mark !== own ? null : text;
}

/** An object of a reply with its reasoning marked, where it has any. */
export function markField(
  object: JsonObject,
  field: string,
  { own, isWritten }: ReasoningMark,
): JsonObject {
  const token = object[field];
  const isMarked = isWritten && typeof token === 'string' && token !== '';
  return isMarked ? { ...object, [field]: `mq2.${own}.${token}` } : object;
}
