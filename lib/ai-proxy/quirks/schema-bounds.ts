import { isJsonObject, type JsonObject } from '#lib/http/json-value.ts';
import { keepNumbers } from '../protocols/json/source-text.ts';

/** What a grammar matches or counts, letter by letter. */
const bounds: ReadonlySet<string> = new Set([
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

/** Whose fields have names that are no keywords. */
const namedSchemas: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
]);

/** Values, not schemas. */
const values: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

/** Where the schemas of tools, of the tools of a namespace, and of replies are in Chat Completions, Responses and Messages. */
const schemas: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'schema']);
const around: ReadonlySet<string> = new Set(['function', 'tools', 'json_schema', 'format']);
const replyFormats: ReadonlySet<string> = new Set([
  'response_format',
  'text',
  'output_config',
  'output_format',
]);

/**
 * A request of any protocol, without the bounds in its schemas where an upstream can make no grammar of these. They only
 * say more exactly which values are valid, which clients check themselves.
 */
export function withoutSchemaBounds(request: JsonObject): JsonObject {
  return mapFields(request, (name, value) =>
    name === 'tools' || replyFormats.has(name) ? withoutBounds(value) : value,
  );
}

/** Tools, or the format of a reply. */
function withoutBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBounds);
  if (!isJsonObject(value)) return value;
  return mapFields(value, (name, inner) => {
    if (around.has(name)) return withoutBounds(inner);
    return schemas.has(name) ? toUnbounded(inner) : inner;
  });
}

function toUnbounded(schema: unknown): unknown {
  if (!isJsonObject(schema)) return schema;
  return mapFields(schema, (name, value) => {
    if (bounds.has(name)) return undefined;
    if (values.has(name)) return value;
    if (Array.isArray(value)) return value.map(toUnbounded);
    const isNamed = namedSchemas.has(name) && isJsonObject(value);
    return isNamed ? mapFields(value, (_, part) => toUnbounded(part)) : toUnbounded(value);
  });
}

function mapFields(
  value: JsonObject,
  toValue: (name: string, value: unknown) => unknown,
): JsonObject {
  const fields = Object.entries(value).map(([name, inner]) => [name, toValue(name, inner)]);
  return keepNumbers(value, Object.fromEntries(fields));
}
