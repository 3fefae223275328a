import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { type ZodObject, z } from 'zod';
import { isJsonObject, type JsonObject } from '#lib/http/json-value.ts';
import type { Tool } from './tool.ts';

/** What a call sent, as the tool takes it. */
export type ReadArguments = Readonly<{
  input: Readonly<Record<string, unknown>>;
  /** The names of arguments that the tool does not have. */
  ignored: readonly string[];
}>;

/**
 * The arguments of a call as the tool's schema has them. Clients and models send numbers and lists as text, one value
 * for a list of one, `null`, nothing or `false` for what they leave out, and arguments of their own.
 */
export function readArguments(schema: ZodObject, sent: object): ReadArguments {
  const properties = propertiesOf(schema);
  const input: Record<string, unknown> = {};
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(sent)) {
    const property = properties[name];
    if (property === undefined) ignored.push(name);
    else if (!isLeftOut(value, property)) input[name] = toValue(value, property);
  }
  return { input, ignored };
}

/** A flag is `true`, or left out. */
function isLeftOut(value: unknown, { enum: choices }: Property): boolean {
  const isFlag = choices?.length === 1 && choices[0] === 'true';
  return isNothing(value) || (isFlag && String(value).toLowerCase() === 'false');
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object') return value === undefined;
  return value === null || Object.values(value).every(isNothing);
}

/**
 * The tool's schema as the SDK lists it, by which it validates arguments once they are read.
 * @see https://standardschema.dev
 */
export function toLenientSchema({
  inputSchema,
}: Tool): StandardSchemaWithJSON<object, ReadArguments> {
  const { validate, types: _, ...standard } = inputSchema['~standard'];
  return {
    '~standard': {
      ...standard,
      async validate(sent) {
        const { input, ignored } = readArguments(inputSchema, Object(sent));
        const result = await validate(input);
        return 'value' in result ? { value: { input: result.value, ignored } } : result;
      },
    },
  };
}

/** A message without the `null` that some clients send for what they leave out, and without arguments as JSON text. */
export function withoutNulls(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(withoutNulls);
  if (!isJsonObject(message) || !('method' in message)) return message;
  const { params: sent = null, ...others } = message;
  if (sent === null) return others;
  if (!isJsonObject(sent)) return message;
  const entries = Object.entries(sent).filter(([, value]) => value !== null);
  const params: JsonObject = Object.fromEntries(entries);
  const { arguments: args } = params;
  if (typeof args !== 'string') return { ...others, params };
  return { ...others, params: { ...params, arguments: parseJson(args.trim() || '{}') } };
}

type Property = z.core.JSONSchema.BaseSchema;
type Properties = Readonly<Record<string, Property>>;

const known = new WeakMap<ZodObject, Properties>();

function propertiesOf(schema: ZodObject): Properties {
  let properties = known.get(schema);
  if (properties === undefined) {
    properties = (z.toJSONSchema(schema, { io: 'input' }).properties ?? {}) as Properties;
    known.set(schema, properties);
  }
  return properties;
}

function toValue(value: unknown, property: Property): unknown {
  const types = property.anyOf?.map((option) => option as Property) ?? [property];
  const list = types.find(({ type }) => type === 'array');
  if (list !== undefined)
    return toList(value).map((item) => toSingle(item, list.items as Property));
  return toSingle(value, property);
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [value];
  const parsed = parseJson(value);
  return Array.isArray(parsed) ? parsed : value.split(',').map((item) => item.trim());
}

function toSingle(value: unknown, { type, enum: choices }: Property): unknown {
  if (type === 'integer' || type === 'number') {
    return typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  }
  if (type === 'boolean') return value === 'true' || (value === 'false' ? false : value);
  if (type !== 'string') return value;
  // A point as a list of two numbers.
  const isText = ['number', 'boolean'].includes(typeof value) || Array.isArray(value);
  const text = isText ? String(value) : value;
  if (typeof text !== 'string') return text;
  const lower = text.trim().toLowerCase();
  return choices?.find((choice) => String(choice).toLowerCase() === lower) ?? text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
