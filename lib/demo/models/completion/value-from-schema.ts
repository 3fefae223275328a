/** The source of generated values. */
export type ValueSources = Readonly<{
  /** Names from the prompt, for texts. */
  words: readonly string[];
  /** Index of the first word to use. */
  turn: number;
}>;

type Schema = Readonly<Record<string, unknown>>;
type Context = ValueSources & Readonly<{ root: unknown; depth: number; name: string }>;

const depthMax = 12;

/** A value that matches a JSON schema, except for `pattern` and `not`. */
export function makeValue(schema: unknown, sources: ValueSources): unknown {
  return fill(schema, { ...sources, root: schema, depth: 0, name: '' });
}

function fill(schemaOrRef: unknown, context: Context): unknown {
  const schema = resolve(schemaOrRef, context.root);
  // A schema can refer only to itself.
  if (schema === null || context.depth > 2 * depthMax) return `demo ${context.name}`.trim();
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[context.turn % schema.enum.length];
  if ('default' in schema) return schema.default;
  const choices = listOf(schema.anyOf ?? schema.oneOf);
  const deeper = { ...context, depth: context.depth + 1 };
  if (choices.length > 0) return fill(choose(schema, choices[0]), deeper);
  const all = listOf(schema.allOf);
  if (all.length > 0) return fill(mergeAll(schema, all, context.root), deeper);
  return fillType(toType(schema), schema, context);
}

function fillType(type: string, schema: Schema, context: Context): unknown {
  switch (type) {
    case 'object':
      return fillObject(schema, context);
    case 'array':
      return fillArray(schema, context);
    case 'integer':
    case 'number':
      return fillNumber(schema, type === 'integer');
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return fillText(schema, context);
  }
}

function fillObject(schema: Schema, context: Context): unknown {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required = listOf(schema.required);
  const entries = Object.entries(properties)
    .filter(([name]) => required.includes(name) || context.depth < depthMax / 4)
    .map(([name, inner]) => [name, fill(inner, { ...context, name, depth: context.depth + 1 })]);
  return Object.fromEntries(entries);
}

function fillArray(schema: Schema, context: Context): unknown {
  const min = numberOr(schema.minItems, 0);
  const wanted = context.depth > depthMax ? min : Math.max(min, 2);
  const count = Math.min(wanted, numberOr(schema.maxItems, wanted));
  const prefix = listOf(schema.prefixItems);
  return Array.from({ length: count }, (_, index) =>
    fill(prefix[index] ?? schema.items ?? { type: 'string' }, {
      ...context,
      turn: context.turn + index,
      depth: context.depth + 1,
    }),
  );
}

function fillNumber(schema: Schema, isInteger: boolean): number {
  const above = numberOr(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY);
  const below = numberOr(schema.exclusiveMaximum, Number.POSITIVE_INFINITY);
  const min = Math.max(numberOr(schema.minimum, Number.NEGATIVE_INFINITY), above);
  const max = Math.min(numberOr(schema.maximum, Number.POSITIVE_INFINITY), below);
  const step = numberOr(schema.multipleOf, isInteger ? 1 : 0);
  let value = Math.min(Math.max(step > 0 ? step : 1, min), max);
  if (step > 0) value = Math.ceil(value / step) * step;
  if (value <= above) value += step > 0 ? step : Math.min(1, (max - value) / 2);
  if (value >= below) value -= step > 0 ? step : Math.min(1, (value - min) / 2);
  return value;
}

const texts: Readonly<Record<string, string>> = {
  date: '2026-06-01',
  'date-time': '2026-06-01T12:00:00Z',
  time: '12:00:00Z',
  email: 'someone@demo.example',
  uri: 'https://demo.example/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function fillText(schema: Schema, { words, turn, name }: Context): string {
  const known = texts[String(schema.format)];
  if (known !== undefined) return known;
  const text = words[turn % Math.max(words.length, 1)] ?? `demo ${name}`.trim();
  const min = numberOr(schema.minLength, 0);
  return text.padEnd(min, '.').slice(0, Math.max(numberOr(schema.maxLength, 200), min));
}

function toType(schema: Schema): string {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (typeof type === 'string') return type;
  if ('properties' in schema) return 'object';
  return 'items' in schema ? 'array' : 'string';
}

function resolve(schema: unknown, root: unknown): Schema | null {
  let current = schema;
  for (let hops = 0; hops < depthMax; hops += 1) {
    if (!isSchema(current)) return null;
    if (typeof current.$ref !== 'string') return current;
    current = current.$ref.split('/').slice(1).reduce(step, root);
  }
  return null;
}

function step(value: unknown, name: string): unknown {
  return isSchema(value) ? value[name] : undefined;
}

function choose(schema: Schema, choice: unknown): Schema {
  const rest = Object.fromEntries(
    Object.entries(schema).filter(([name]) => name !== 'anyOf' && name !== 'oneOf'),
  );
  return { ...rest, ...(isSchema(choice) ? choice : {}) };
}

function mergeAll(schema: Schema, all: readonly unknown[], root: unknown): Schema {
  const parts = all.map((part) => resolve(part, root) ?? {});
  const properties = Object.assign(
    {},
    schema.properties,
    ...parts.map(({ properties: inner }) => inner),
  );
  const required = [schema, ...parts].flatMap((part) => listOf(part.required));
  return Object.assign({}, schema, ...parts, { properties, required, allOf: undefined });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
