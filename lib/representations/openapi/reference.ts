import type { Site } from '#lib/events/view/site-urls.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { createOpenApiDocument, type Operation, type Parameter } from './document.ts';
import { type Sample, toSamples } from './samples.ts';
import { type JsonSchema, schemaRoot } from './schemas.ts';

/** The reference of the events API as plain data, for the HTML and Markdown pages. */
export type Reference = Readonly<{
  operations: readonly ReferenceOperation[];
  schemas: readonly ReferenceSchema[];
}>;

export type ReferenceOperation = Readonly<{
  /** The `operationId`, and the anchor of its section. */
  id: string;
  method: string;
  /** With parameters in braces, as in OpenAPI. */
  path: string;
  summary: string;
  /** Markdown, like all descriptions here. */
  description: string;
  parameters: readonly ReferenceParameter[];
  responses: readonly ReferenceResponse[];
  samples: readonly Sample[];
}>;

export type ReferenceParameter = Readonly<{
  name: string;
  in: 'query' | 'path';
  isRequired: boolean;
  /** In words: ``one of `asc`, `desc` ``. */
  type: string;
  /** null: no default. */
  defaultsTo: string | null;
  description: string;
  /** The input that a form shows for it. */
  input: ParameterInput;
  example: string | null;
}>;

type ParameterInput =
  | Readonly<{ kind: 'choice' | 'choices'; choices: readonly string[] }>
  | Readonly<{ kind: 'number'; min: number | null; max: number | null }>
  | Readonly<{ kind: 'date' }>
  | Readonly<{ kind: 'text'; lengthMax: number | null }>;

export type ReferenceResponse = Readonly<{
  status: string;
  description: string;
  mediaType: string | null;
  /** The name of its schema, if it has one. */
  schema: string | null;
  /** Pretty-printed. */
  example: string | null;
}>;

export type ReferenceSchema = Readonly<{
  name: string;
  description: string;
  fields: readonly ReferenceField[];
}>;

type ReferenceField = Readonly<{
  /** Nested fields have dots: `meta.count`. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}>;

const references = new WeakMap<Site, Reference>();

/** The reference, generated from the OpenAPI document once per site. */
export function getReference(site: Site): Reference {
  const reference = references.get(site) ?? createReference(site);
  references.set(site, reference);
  return reference;
}

function createReference(site: Site): Reference {
  const { servers, paths, components } = inlineEnumerations(createOpenApiDocument(site));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      toOperation(operation, {
        path,
        method: method.toUpperCase(),
        serverUrl: servers[0]?.url ?? '',
      }),
    ),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    fields: toFields(schema, ''),
  }));
  // Enumerations are shown where they are used.
  return { operations, schemas: schemas.filter(({ fields }) => fields.length > 0) };
}

type Document = ReturnType<typeof createOpenApiDocument>;

function inlineEnumerations(document: Document): Document {
  const { schemas } = document.components;
  const text = JSON.stringify(document, (_, value) => {
    const target = schemas[value?.$ref?.replace(schemaRoot, '')];
    return target?.enum === undefined ? value : target;
  });
  return JSON.parse(text);
}

type OperationLocation = Readonly<{ path: string; method: string; serverUrl: string }>;

function toOperation(operation: Operation, location: OperationLocation): ReferenceOperation {
  const { operationId: id, summary, description = '' } = operation;
  const { path, method, serverUrl } = location;
  const parameters = operation.parameters.map(toParameter);
  const responses = Object.entries(operation.responses).map(toResponse);
  const isJson = responses[0]?.mediaType === 'application/json';
  const samples = toSamples({ path, serverUrl, parameters, isJson });
  return { id, method, path, summary, description, parameters, responses, samples };
}

function toParameter(parameter: Parameter): ReferenceParameter {
  const { name, schema } = parameter;
  const { default: standard, examples = [] } = schema;
  const example = schema.example ?? examples[0];
  return {
    name,
    in: parameter.in,
    isRequired: parameter.required === true,
    type: toTypeInWords(schema),
    defaultsTo: standard === undefined ? null : String(standard),
    description: parameter.description ?? schema.description ?? '',
    input: toInput(schema),
    example: example === undefined ? null : String(example),
  };
}

function toInput(schema: JsonSchema): ParameterInput {
  const choices = schema.enum ?? schema.items?.enum;
  if (choices !== undefined) return { kind: schema.items ? 'choices' : 'choice', choices };
  if (schema.type === 'integer') {
    return { kind: 'number', min: schema.minimum ?? null, max: schema.maximum ?? null };
  }
  if (schema.format === 'date') return { kind: 'date' };
  return { kind: 'text', lengthMax: schema.maxLength ?? null };
}

function toResponse([status, response]: [
  string,
  Operation['responses'][string],
]): ReferenceResponse {
  const [mediaType = null, content] = Object.entries(response.content ?? {})[0] ?? [];
  const example = content?.example;
  return {
    status,
    description: response.description,
    mediaType,
    schema: toSchemaName(content?.schema),
    example:
      example === undefined || typeof example === 'string'
        ? (example ?? null)
        : JSON.stringify(example, null, 2),
  };
}

function toFields(schema: JsonSchema, prefix: string): ReferenceField[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (field.properties !== undefined) return toFields(field, `${prefix}${name}.`);
    return {
      name: prefix + name,
      type: toTypeInWords(field),
      isRequired: required.has(name),
      description: field.description ?? '',
    };
  });
}

/** A schema in a few words: `string or null`, `one or more of CAD, Other`, `integer, 1 to 100`. */
function toTypeInWords(schema: JsonSchema): string {
  const name = toSchemaName(schema);
  if (name !== null) return name;
  if (schema.anyOf !== undefined) return schema.anyOf.map(toTypeInWords).join(' or ');
  if (schema.enum !== undefined) return `one of ${quoteAll(schema.enum)}`;
  if (schema.items?.enum !== undefined) return `one or more of ${quoteAll(schema.items.enum)}`;
  if (schema.items !== undefined) return `list of ${toTypeInWords(schema.items)}`;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['anything']);
  return types.map((type) => toPlainType(type, schema)).join(' or ');
}

const formatWords: Readonly<Record<string, string>> = {
  date: 'date (`YYYY-MM-DD`)',
  'date-time': 'date-time (ISO 8601, UTC)',
  uri: 'URL',
};

function toPlainType(type: string, { format, minimum, maximum, maxLength }: JsonSchema): string {
  if (type === 'string') {
    const words = formatWords[format ?? ''] ?? 'string';
    return maxLength === undefined ? words : `${words}, up to ${maxLength} characters`;
  }
  if (type !== 'integer') return type;
  const isBounded = minimum !== undefined && maximum !== undefined;
  if (isBounded && maximum < Number.MAX_SAFE_INTEGER)
    return `integer, ${formatCount(minimum)} to ${formatCount(maximum)}`;
  return 'integer';
}

function quoteAll(choices: readonly string[]): string {
  return choices.map((choice) => `\`${choice}\``).join(', ');
}

function toSchemaName(schema: JsonSchema | undefined): string | null {
  return schema?.$ref?.replace(schemaRoot, '') ?? null;
}
