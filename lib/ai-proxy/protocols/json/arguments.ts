import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/http/json-value.ts';

/** Arguments of a call as OpenAI's protocols have them: JSON text. Some servers send the object. */
export function toArgumentsText(value: unknown): unknown {
  return isJsonObject(value) ? JSON.stringify(value) : value;
}

/** Input of a call as Anthropic's protocol has it: an object. Some servers send its JSON text. */
export function toInputObject(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const empty: JsonObject = {};
  return parseJsonObject(value) ?? (value.trim() === '' ? empty : value);
}
