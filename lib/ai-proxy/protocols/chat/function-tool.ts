import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, withoutNulls } from '#lib/http/json-value.ts';

type ToolFunction = Readonly<
  { name: string } & Partial<Record<'description' | 'parameters' | 'strict', unknown>>
>;

/** A function as a tool of a chat request. */
export function toFunctionTool(
  { name, description, parameters, strict }: ToolFunction,
  cacheControl: unknown,
): JsonObject {
  return withoutNulls({
    type: 'function',
    function: withoutNulls({ name, description, parameters: toParameters(parameters), strict }),
    cache_control: cacheControl,
  });
}

/** MCP servers list tools without `properties`, or with an empty schema; OpenAI rejects both. */
function toParameters(parameters: unknown): unknown {
  if (!isJsonObject(parameters)) return parameters;
  const isEmpty = Object.keys(parameters).length === 0;
  const lacks =
    isEmpty || (parameters.type === 'object' && (parameters.properties ?? null) === null);
  return lacks ? { ...parameters, type: 'object', properties: {} } : parameters;
}

const nameLengthMax = 64;
const hashLength = 8;

/** A name that chat servers take; one of other characters, or too long, ends in a hash, so that no two become one. */
export function toFunctionName(name: string): string {
  const plain = name.replace(/[^\w-]/g, '_');
  if (plain === name && name.length <= nameLengthMax) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  return `${plain.slice(0, nameLengthMax - hashLength - 1)}_${hash}`;
}
