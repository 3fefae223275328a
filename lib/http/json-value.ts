/** Any JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const noFields: JsonObject = Object.freeze({});

/** The value as an object, or an empty one: for fields that upstreams omit. */
export function toJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : noFields;
}

export function toJsonArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The fields that have a value. */
export function withoutNulls(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** Parses JSON; undefined if it is invalid. The parser's error is dropped, since it quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a JSON object; null for anything else. */
export function parseJsonObject(text: string): JsonObject | null {
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
}
