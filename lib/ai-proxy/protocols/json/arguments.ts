import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/http/json-value.ts';
import { keepSource, writeJson } from './source-text.ts';

/** Arguments of a call as OpenAI's protocols have them: JSON text. Some servers send the object. */
export function toArgumentsText(value: unknown): unknown {
  return isJsonObject(value) ? writeJson(value) : value;
}

/** The same of a whole call. Some servers add the arguments up several times. */
export function toWholeArguments(value: unknown): unknown {
  const text = toArgumentsText(value);
  if (typeof text !== 'string' || !/\}\s*\{/.test(text) || parseJsonObject(text) !== null)
    return text;
  const units = [2, 3, 4].map((times) => ({ times, unit: text.slice(0, text.length / times) }));
  const found = units.find(({ times, unit }) => unit.repeat(times) === text);
  return found === undefined || parseJsonObject(found.unit) === null ? text : found.unit;
}

/** Input of a call as Anthropic's protocol has it: an object. Some servers send its JSON text. */
export function toInputObject(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const empty: JsonObject = {};
  return parseArguments(value) ?? (value.trim() === '' ? empty : value);
}

/** The arguments of a call, with their source; null if they are no JSON object. */
export function parseArguments(text: string): JsonObject | null {
  const input = parseJsonObject(text);
  if (input !== null) keepSource(input, text);
  return input;
}

/**
 * A call whose arguments are a JSON object: servers parse those of former calls, and one that was cut off would have them
 * reject the conversation for good.
 */
export function withReadable<T extends Readonly<{ arguments?: unknown }>>(call: T): T {
  const isReadable = typeof call.arguments !== 'string' || parseJsonObject(call.arguments) !== null;
  return isReadable ? call : { ...call, arguments: '{}' };
}
