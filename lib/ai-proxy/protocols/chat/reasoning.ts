import { type JsonObject, parseJsonObject, toJsonArray, toText } from '#lib/http/json-value.ts';
import { isNestedWithin, jsonDepthMax } from '../json/parse-json.ts';
import type { ReasoningField, ReasoningPiece } from './choice.ts';

/** Collects the reasoning of a reply: one item or block of it. */
export type ReasoningCollector = {
  add(piece: ReasoningPiece): void;
  toText(): string;
  /** For the client to send back: see `toReasoningFields`. */
  toToken(): string;
};

export function createReasoningCollector(): ReasoningCollector {
  const details: Record<string, unknown>[] = [];
  let text = '';
  let field: ReasoningField | null = null;
  return {
    add(piece) {
      text += piece.text;
      field ??= piece.field;
      for (const detail of piece.details) addDetail(details, detail);
    },
    toText: () => text,
    toToken() {
      return toToken(details.length > 0 ? { details } : { field: field ?? 'reasoning' });
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

const tokenPrefix = 'mq1.';

/**
 * What a client has to send back so that the upstream gets its reasoning in the form that it sent: as the
 * `signature` of a thinking block, or the `encrypted_content` of a reasoning item. Nothing is stored here.
 */
function toToken(content: JsonObject): string {
  return tokenPrefix + Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** Whether it is ours: no other server can read it. */
export function isReasoningToken(token: unknown): token is string {
  return typeof token === 'string' && token.startsWith(tokenPrefix);
}

export type ReturnedReasoning = Readonly<{ text: string; token: unknown }>;

/** The fields of an assistant message that give an upstream its reasoning back; those of others are dropped. */
export function toReasoningFields(returned: readonly ReturnedReasoning[]): JsonObject {
  const known = returned.flatMap(({ text, token }) => {
    const content = readToken(token);
    return content === null ? [] : [{ text, content }];
  });
  const details = known.flatMap(({ content }) => toJsonArray(content.details));
  if (details.length > 0) return { reasoning_details: details };
  const text = known.map((one) => one.text).join('');
  if (text === '') return {};
  const isContent = known.some(({ content }) => content.field === 'reasoning_content');
  return isContent ? { reasoning_content: text } : { reasoning: text };
}

function readToken(token: unknown): JsonObject | null {
  if (!isReasoningToken(token)) return null;
  const json = Buffer.from(token.slice(tokenPrefix.length), 'base64url').toString();
  return isNestedWithin(json, jsonDepthMax) ? parseJsonObject(json) : null;
}
