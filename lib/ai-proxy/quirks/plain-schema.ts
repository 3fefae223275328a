import { isJsonObject, type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';

/** Those of Google’s `Schema` that need no other form: https://ai.google.dev/api/caching#Schema */
const keptKeywords = [
  'title',
  'description',
  'nullable',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minProperties',
  'maxProperties',
  'pattern',
  'default',
] as const;

/** What references may add to one request, in characters of JSON: a few that refer to each other could add any amount. */
const addedMax = 256 * 1024;
/** References within references: schemas that contain themselves end there. */
const depthMax = 4;

/**
 * Writes schemas of parameters in the words of Google’s API. What is left out only says more exactly which values are
 * valid. A reference becomes what it refers to. One for each request.
 */
export function createPlainSchemas(): (schema: unknown) => JsonObject {
  let left = addedMax;

  function toPlain(value: unknown, root: JsonObject, depth: number): JsonObject {
    const sent = toJsonObject(value);
    const parts = [sent, ...toJsonArray(sent.allOf).map(toJsonObject)];
    const isReferring = parts.some(({ $ref }) => $ref !== undefined);
    const schema: Record<string, unknown> = {};
    for (const part of parts.toReversed()) {
      Object.assign(schema, depth < depthMax ? follow(part, root) : null, part);
    }
    const within = (part: unknown) => toPlain(part, root, isReferring ? depth + 1 : depth);
    const { properties, items } = schema;
    const named = Object.entries(toJsonObject(properties)).map(([name, part]) => [
      name,
      within(part),
    ]);
    const choices = toJsonArray(schema.anyOf ?? schema.oneOf).map(within);
    const typed = toType(schema);
    // Other keywords stand only beside their own type.
    const mayBe = (type: string) => (typed.type ?? type) === type;
    return {
      ...typed,
      ...Object.fromEntries(
        keptKeywords.filter((name) => name in schema).map((name) => [name, schema[name]]),
      ),
      ...(mayBe('string') && toEnum(schema)),
      ...(schema.format === 'date-time' && { format: 'date-time' }),
      ...(mayBe('object') && named.length > 0 && { properties: Object.fromEntries(named) }),
      ...(mayBe('object') && toRequired(schema)),
      ...(mayBe('array') && isJsonObject(items) && { items: within(items) }),
      ...(typed.type === 'array' && !isJsonObject(items) && { items: { type: 'string' } }),
      ...(choices.length > 0 && { anyOf: choices }),
    };
  }

  function follow({ $ref: reference }: JsonObject, root: JsonObject): JsonObject {
    if (typeof reference !== 'string' || !reference.startsWith('#') || left <= 0) return {};
    const [, ...path] = reference.split('/');
    const found = path.reduce<unknown>((part, name) => toJsonObject(part)[name], root);
    const { allOf: _, ...target } = toJsonObject(found);
    left -= JSON.stringify(target).length;
    return left < 0 ? {} : target;
  }

  return (schema) => toPlain(schema, toJsonObject(schema), 0);
}

/** `null` is no type of its own, and there is one at most. */
function toType({ type }: JsonObject): JsonObject {
  if (typeof type === 'string') return { type };
  const types = toJsonArray(type);
  const others = types.filter((name) => name !== 'null');
  const isNullable = others.length < types.length;
  return {
    ...(others.length === 1 && { type: others[0] }),
    ...(others.length > 1 && { anyOf: others.map((name) => ({ type: name })) }),
    ...(isNullable && { nullable: true }),
  };
}

/** Only texts can be listed, and a list needs its type. */
function toEnum({ enum: values, const: only }: JsonObject): JsonObject {
  const listed = only === undefined ? toJsonArray(values) : [only];
  const texts = listed.filter((value) => typeof value === 'string');
  return texts.length > 0 && texts.length === listed.length ? { type: 'string', enum: texts } : {};
}

/** Only of what there is. */
function toRequired({ required, properties }: JsonObject): JsonObject {
  const known = toJsonObject(properties);
  const names = toJsonArray(required).filter((name) => Object.hasOwn(known, String(name)));
  return names.length > 0 ? { required: names } : {};
}
