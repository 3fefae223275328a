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

/** Schemas that contain themselves end there. */
const depthMax = 12;
const partsMax = 5000;

type Walk = { readonly root: JsonObject; parts: number };

/**
 * A schema of parameters in the words of Google’s API. What is left out only says more exactly which values are valid. A
 * reference becomes what it refers to.
 */
export function toPlainSchema(schema: unknown): JsonObject {
  const root = toJsonObject(schema);
  return toPlain(root, { root, parts: 0 }, 0);
}

function toPlain(value: unknown, walk: Walk, depth: number): JsonObject {
  walk.parts += 1;
  if (depth > depthMax || walk.parts > partsMax) return {};
  const schema = merge(toJsonObject(value), walk.root);
  const within = (part: unknown) => toPlain(part, walk, depth + 1);
  const { properties, items, required } = schema;
  const choices = toJsonArray(schema.anyOf ?? schema.oneOf).map(within);
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const needed = toJsonArray(required).filter((name) => names.includes(String(name)));
  return {
    ...toType(schema),
    ...Object.fromEntries(
      keptKeywords.filter((name) => name in schema).map((name) => [name, schema[name]]),
    ),
    ...toEnum(schema),
    ...(schema.format === 'date-time' && { format: 'date-time' }),
    ...(names.length > 0 && {
      properties: Object.fromEntries(
        Object.entries(toJsonObject(properties)).map(([name, part]) => [name, within(part)]),
      ),
    }),
    ...(needed.length > 0 && { required: needed }),
    ...(isJsonObject(items) && { items: within(items) }),
    ...(choices.length > 0 && { anyOf: choices }),
  };
}

/** With what it refers to, and all of which it must be at once. */
function merge(schema: JsonObject, root: JsonObject): JsonObject {
  const { $ref: reference, allOf, ...own } = schema;
  const parts = toJsonArray(allOf).map((part) => follow(toJsonObject(part), root));
  return Object.assign({}, follow({ $ref: reference }, root), ...parts, own);
}

function follow(schema: JsonObject, root: JsonObject): JsonObject {
  const { $ref: reference, ...own } = schema;
  if (typeof reference !== 'string') return own;
  const [hash, ...path] = reference.split('/');
  if (hash !== '#') return own;
  const found = path.reduce<unknown>((part, name) => toJsonObject(part)[name], root);
  return { ...toJsonObject(found), ...own };
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

/** Only texts can be listed. */
function toEnum({ enum: values, const: only }: JsonObject): JsonObject {
  const listed = only === undefined ? toJsonArray(values) : [only];
  const texts = listed.filter((value) => typeof value === 'string');
  return texts.length > 0 && texts.length === listed.length ? { enum: texts } : {};
}
