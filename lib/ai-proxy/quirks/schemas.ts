import { isJsonObject, type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { keepNumbers, writeJson } from '../protocols/json/source-text.ts';
import { eachIn, joinContents, ofAllChat, omit } from './changes.ts';
import { createPlainSchemas } from './plain-schema.ts';
import type { Change, Quirk } from './quirk.ts';

const unavailable =
  "(?:(?:does not|doesn['’]t) support|is not supported|is unavailable|not valid: invalid value)";

const otherFormat =
  'This model does not take this type of `response_format`: use another one, or leave it out and ask for JSON in the prompt.';

/** Of JSON Schema; others may have been made up by a client. */
const keywords = String.raw`(?:\$\w+|const|type|format|(?:one|all)Of|not|if|then|else|examples|definitions|(?:additional|pattern|dependent|unevaluated)\w+|propertyNames|(?:exclusive|min|max)[MC]\w+|prefixItems|contains|uniqueItems|multipleOf|deprecated|readOnly|writeOnly|content\w+)`;

/** How Google rejects names in the parameters of a function, also behind gateways. */
function unknownInSchema(names: string): RegExp {
  const prefix = String.raw`(?:\[[^\]]{1,80}\][: ]{1,2}){0,2}`;
  const place = String.raw`'(?:request\.)?tools\[\d+\]\.function_?declarations\[\d+\]\.parameters\b`;
  return new RegExp(
    `^${prefix}invalid json payload received\\. unknown name "${names}" at ${place}`,
    'i',
  );
}

/** What servers reject of schemas, and of the format of a reply. */
export const schemaQuirks: readonly Quirk[] = [
  {
    name: 'schema_bounds',
    isOfRequest: true,
    // llama.cpp, LM Studio
    texts: [/\bfailed to parse grammar\b/i, /\bjson schema conversion failed\b/i],
    tell: 'The server of this model can make no grammar of the JSON Schemas of the request: leave out `pattern`, `format` and bounds such as `maxLength`, or send fewer tools.',
    changes: {
      ...ofAllChat(withoutSchemaBounds),
      responses: withoutSchemaBounds,
      messages: withoutSchemaBounds,
    },
    server:
      'makes a grammar of all schemas, which becomes too large, or cannot read a pattern, as llama.cpp does',
    gets: 'schemas without patterns, formats and sizes of texts and lists',
  },
  {
    name: 'schema_keywords',
    texts: [unknownInSchema(keywords)],
    changes: ofAllChat((request) => {
      const toPlainSchema = createPlainSchemas();
      return eachIn('tools', (tool) => withPlainParameters(tool, toPlainSchema))(request);
    }),
    server: 'rejects keywords of JSON Schema in tools, as Google’s API does',
    gets: 'schemas without them, and references written out',
  },
  {
    name: 'schema_keywords',
    isOfRequest: true,
    texts: [
      unknownInSchema('[^"]{1,60}'),
      // Keywords that it has, but not at their place.
      /^(?:\[[^\]]{1,80}\][: ]{1,2})?(?:\* )?generatecontentrequest\.tools\[\d+\]\.function_?declarations\[\d+\]\.parameters\.[\w.[\]]{1,200}: (?:only allowed for|only '|property is not defined|missing field|should not be set|should be non-empty)/i,
    ],
  },
  {
    name: 'json_schema',
    texts: [
      // DeepSeek; Groq, OpenAI, Volcengine
      /^this response_format type is unavailable now\b/i,
      /^output_(?:config\.)?format: extra inputs are not permitted\b/i,
      /^this model does not support response format [`'"]?json_schema\b/i,
      /^invalid parameter: 'response_format' of type 'json_schema' is not supported with this model\b/i,
      /^the parameter `response_format\.type` specified in the request (?:is|are) not valid: invalid value: `json_schema`/i,
    ],
    changes: {
      translated: withInstruction(({ type }) => type === 'json_schema'),
      messages: withSchemaInSystem,
    },
    server: 'takes `json_object`, but no schema of a reply',
    gets: 'the schema in the instructions, in native Messages, too',
  },
  {
    name: 'loose_schema',
    // Anthropic, xAI
    texts: [/^response_format\.json_schema\.strict: input should be true\b/i],
    changes: {
      translated: withInstruction(
        ({ type, json_schema: wanted }) =>
          type === 'json_schema' && toJsonObject(wanted).strict !== true,
      ),
    },
    server: 'takes only schemas of a reply that are `strict`, as Anthropic’s does',
    gets: 'others in the instructions',
  },
  {
    name: 'json_object',
    code: 'unsupported_parameter',
    param: 'response_format',
    // LM Studio; Anthropic, xAI
    texts: [
      /^'response_format\.type' must be 'json_schema'/i,
      /^response_format\.type: input should be 'json_schema'/i,
    ],
    tell: otherFormat,
    changes: { translated: withInstruction(({ type }) => type === 'json_object') },
    server: 'takes schemas of a reply, but no `json_object`, as LM Studio does',
    gets: 'an instruction to reply with JSON',
  },
  {
    texts: [/^(?<param>[\w.]+\.strict): input should be true\b/i],
    tell: ({ field }) =>
      `This model takes only strict schemas of a reply: set ${field ?? '`strict`'} to \`true\`.`,
  },
  {
    code: 'unsupported_parameter',
    param: 'response_format',
    // Groq, DeepSeek, OpenAI, Volcengine
    texts: [
      `this model ${unavailable} response format\\b`,
      `this response_format type ${unavailable}\\b`,
      `invalid parameter: 'response_format' of type '\\w+' ${unavailable}\\b`,
      `the parameter \`response_format\\.type\` specified in the request (?:is|are) ${unavailable}\\b`,
    ].map((text) => new RegExp(`^${text}`, 'i')),
    tell: otherFormat,
  },
  {
    codes: ['invalid_function_parameters', 'invalid_json_schema'],
    texts: [
      /\binvalid (?:json )?schema for (?:function|response_format|text\.format)\b/i,
      // Anthropic
      /^(?<param>[\w.]*schema): (?:for '\w+' type, |empty schema\b|.{0,80}?\bis not supported\b)/i,
    ],
    tell: ({ field }) =>
      `${field ?? 'A JSON schema of the request'} is not a schema that this model takes. In strict mode each object needs \`"additionalProperties": false\` and lists all its properties in \`required\`.`,
  },
];

/** A format that the server does not take is an instruction; at best, the server itself ensures JSON. */
function withInstruction(isRejected: (format: JsonObject) => boolean): Change {
  return (request, _, quirks) => {
    const format = toJsonObject(request.response_format);
    if (!isRejected(format)) return request;
    const wanted = toJsonObject(format.json_schema).schema;
    const content =
      format.type === 'json_schema' ? toSchemaInstruction(wanted) : 'Reply only with JSON.';
    const [first, ...rest] = toJsonArray(request.messages).map(toJsonObject);
    const instruction = { role: 'system', content };
    const isAfterOthers = first?.role === 'system' || first?.role === 'developer';
    const messages = isAfterOthers
      ? [{ ...first, content: joinContents([first, instruction]) }, ...rest]
      : [instruction, ...toJsonArray(request.messages)];
    const others = omit(request, 'response_format');
    return quirks.has('json_object')
      ? { ...others, messages }
      : { ...others, response_format: { type: 'json_object' }, messages };
  };
}

function toSchemaInstruction(schema: unknown): string {
  return `Reply only with JSON that is valid by this JSON Schema: ${writeJson(toJsonObject(schema))}`;
}

/** Claude Code asks for the title of a session by a schema. */
function withSchemaInSystem(body: JsonObject): JsonObject {
  const { output_config: config, output_format: earlier, ...rest } = body;
  const { format = earlier, ...others } = toJsonObject(config);
  const { type, schema } = toJsonObject(format);
  if (type !== 'json_schema') return body;
  const system = Array.isArray(body.system) ? body.system : toTextBlocks(body.system);
  return {
    ...rest,
    ...(Object.keys(others).length > 0 && { output_config: others }),
    system: [...system, ...toTextBlocks(toSchemaInstruction(schema))],
  };
}

function toTextBlocks(text: unknown): readonly JsonObject[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : [];
}

function withPlainParameters(tool: JsonObject, toPlain: (schema: unknown) => JsonObject) {
  const definition = toJsonObject(tool.function);
  if (definition.parameters === undefined) return tool;
  return { ...tool, function: { ...definition, parameters: toPlain(definition.parameters) } };
}

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
function withoutSchemaBounds(request: JsonObject): JsonObject {
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
