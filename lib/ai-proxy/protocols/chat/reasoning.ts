import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { isNestedWithin } from '../json/measure-json.ts';
import { jsonDepthMax, parseUpstreamSource } from '../json/parse-json.ts';
import { writeJson } from '../json/source-text.ts';
import { findMark, type ReasoningMark } from '../reasoning-mark.ts';
import type { ReasoningField, ReasoningPiece } from './choice.ts';

/**
 * Collects what an upstream needs back in the next turn: the reasoning of one item or block of a reply, and the fields
 * of calls that only the upstream knows. A class for the reason of `Client`: it has a getter, and each reply makes one.
 */
export class ReasoningCollector {
  readonly #mark: ReasoningMark;
  readonly #details: Record<string, unknown>[] = [];
  readonly #calls = new Map<string, JsonObject>();
  #text = '';
  #field: ReasoningField | null = null;

  /** @param mark of the upstream, which is written where another one could get it */
  constructor(mark: ReasoningMark) {
    this.#mark = mark;
  }

  add({ text, field, details }: ReasoningPiece): void {
    this.#text += text;
    this.#field ??= field;
    for (const detail of details) addDetail(this.#details, detail);
  }

  addCall(callId: string, fields: JsonObject): void {
    this.#calls.set(callId, { ...this.#calls.get(callId), ...fields });
  }

  /** Whether it has fields of calls. */
  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  toText(): string {
    return this.#text;
  }

  /** For the client to send back with the text: see `toReasoningFields`. */
  toToken(): string {
    const { own, isWritten } = this.#mark;
    return `${tokenPrefix}${isWritten ? `${own}.` : ''}${toBase64(this.#toContent())}`;
  }

  /** The id of a call, with what was collected in it: for replies that show no reasoning. */
  toMarkedId(callId: string): string {
    if (this.#text === '' && this.#details.length === 0 && !this.hasCalls) return callId;
    const { own, isWritten } = this.#mark;
    const mark = isWritten ? `${own}_` : '';
    return callId + idMark + mark + toBase64({ ...this.#toContent(), text: this.#text });
  }

  #toContent(): JsonObject {
    const details = this.#details;
    return {
      ...(details.length > 0 ? { details } : { field: this.#field ?? 'reasoning' }),
      ...(this.hasCalls && { calls: Object.fromEntries(this.#calls) }),
    };
  }
}

const joinedFields = ['text', 'summary', 'data'] as const;

/** Pieces of one detail, which have the same type and index, become one again. */
function addDetail(details: Record<string, unknown>[], piece: JsonObject): void {
  const last = details.at(-1);
  const isSame = last?.type === piece.type && last?.index === piece.index;
  if (last === undefined || !isSame || piece.index === undefined) {
    details.push({ ...piece });
    return;
  }
  for (const [name, value] of Object.entries(piece)) {
    const before = last[name];
    const isJoined = joinedFields.some((joined) => joined === name);
    last[name] =
      isJoined && typeof before === 'string' ? before + toText(value) : (value ?? before);
  }
}

/**
 * What a client has to send back so that the upstream gets its reasoning in the form that it sent: as the
 * `signature` of a thinking block, or the `encrypted_content` of a reasoning item. Nothing is stored here.
 */
const tokenPrefix = 'mq1.';
/** The same within the id of a call, in the characters that ids may have. */
const idMark = '_mq1_';

function toBase64(content: JsonObject): string {
  return Buffer.from(writeJson(content)).toString('base64url');
}

/** Whether it is ours: no other server can read it. */
export function isReasoningToken(token: unknown): token is string {
  return typeof token === 'string' && token.startsWith(tokenPrefix);
}

type ReturnedReasoning = Readonly<{ text: string; token: unknown }>;

/** What has come back of this upstream, or may have. */
export function toOwnReturned(
  returned: readonly ReturnedReasoning[],
  mark: ReasoningMark | undefined,
): readonly ReturnedReasoning[] {
  if (mark === undefined) return returned;
  const isOwn = ({ token }: ReturnedReasoning) => (findMark(token) ?? mark.own) === mark.own;
  return mark.isLeftOut ? [] : returned.filter(isOwn);
}

/** The id that the upstream has given to a call, and what came back in it. */
export function splitCallId(id: string): Readonly<{ id: string; returned: ReturnedReasoning[] }> {
  const at = id.lastIndexOf(idMark);
  if (at < 0) return { id, returned: [] };
  const token = tokenPrefix + id.slice(at + idMark.length).replace(/^([0-9a-f]{12})_/, '$1.');
  const { text } = readToken(token) ?? {};
  return { id: id.slice(0, at), returned: [{ text: toText(text), token }] };
}

/** The fields of calls that only their upstream knows, by the id of the call. */
export function toCallFields(
  returned: readonly ReturnedReasoning[],
): ReadonlyMap<string, JsonObject> {
  const calls = returned.flatMap(({ token }) =>
    Object.entries(toJsonObject(readToken(token)?.calls)),
  );
  return new Map(calls.map(([id, fields]) => [id, toJsonObject(fields)]));
}

/** The fields of an assistant message that give an upstream its reasoning back; those of others are dropped. */
export function toReasoningFields(returned: readonly ReturnedReasoning[]): JsonObject {
  const known = returned.flatMap(({ text, token }) => {
    const content = readToken(token);
    return content === null || content.field === 'content' ? [] : [{ text, content }];
  });
  const details = known.flatMap(({ content }) => toJsonArray(content.details));
  if (details.length > 0) return { reasoning_details: details };
  const text = known.map((detail) => detail.text).join('');
  if (text === '') return {};
  const isContent = known.some(({ content }) => content.field === 'reasoning_content');
  return isContent ? { reasoning_content: text } : { reasoning: text };
}

function readToken(token: unknown): JsonObject | null {
  if (!isReasoningToken(token)) return null;
  const encoded = token.slice(tokenPrefix.length).replace(/^[0-9a-f]{12}\./, '');
  const json = Buffer.from(encoded, 'base64url').toString();
  return isNestedWithin(json, jsonDepthMax) ? parseUpstreamSource(json) : null;
}
