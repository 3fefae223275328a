import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { isNestedWithin } from '../json/measure-json.ts';
import { jsonDepthMax, parseUpstreamSource } from '../json/parse-json.ts';
import { writeJson } from '../json/source-text.ts';
import { findMark, type ReasoningMark } from '../reasoning-mark.ts';
import type { ReasoningField, ReasoningPiece } from './choice.ts';

/**
 * Collects what an upstream needs back in the next turn: the reasoning of one item or block of a reply, and the fields
 * of calls that only the upstream knows.
 */
export type ReasoningCollector = {
  add(piece: ReasoningPiece): void;
  addCall(callId: string, fields: JsonObject): void;
  toText(): string;
  /** For the client to send back with the text: see `toReasoningFields`. */
  toToken(): string;
  /** The id of a call, with what was collected in it: for replies that show no reasoning. */
  toMarkedId(callId: string): string;
  /** Whether it has fields of calls. */
  readonly hasCalls: boolean;
};

/** @param mark of the upstream, which is written where another one could get it */
export function createReasoningCollector({ own, isWritten }: ReasoningMark): ReasoningCollector {
  const details: Record<string, unknown>[] = [];
  const calls = new Map<string, JsonObject>();
  let text = '';
  let field: ReasoningField | null = null;
  const toContent = () => ({
    ...(details.length > 0 ? { details } : { field: field ?? 'reasoning' }),
    ...(calls.size > 0 && { calls: Object.fromEntries(calls) }),
  });
  return {
    add(piece) {
      text += piece.text;
      field ??= piece.field;
      for (const detail of piece.details) addDetail(details, detail);
    },
    addCall(callId, fields) {
      calls.set(callId, { ...calls.get(callId), ...fields });
    },
    toText: () => text,
    toToken: () => `${tokenPrefix}${isWritten ? `${own}.` : ''}${toBase64(toContent())}`,
    toMarkedId(callId) {
      const isEmpty = text === '' && details.length === 0 && calls.size === 0;
      if (isEmpty) return callId;
      const mark = isWritten ? `${own}_` : '';
      return callId + idMark + mark + toBase64({ ...toContent(), text });
    },
    get hasCalls() {
      return calls.size > 0;
    },
  };
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

export type ReturnedReasoning = Readonly<{ text: string; token: unknown }>;

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
