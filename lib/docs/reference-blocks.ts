import type { BlockContent, Code } from 'mdast';
import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { code, heading, type Phrase, paragraph, table } from '#lib/markdown/nodes.ts';
import type {
  Reference,
  ReferenceOperation,
  ReferenceParameter,
  ReferenceResponse,
  ReferenceSchema,
} from '#lib/openapi/reference.ts';
import { parsePhrases, withAnchor } from './fill-template.ts';

/** The part of a reference that its page and its Markdown share, section by section. */
export type ReferenceTree = Readonly<{
  operations: readonly OperationTree[];
  schemas: readonly BlockContent[];
}>;

export type OperationTree = Readonly<{
  operation: ReferenceOperation;
  /** Its heading, what it is for, and what it takes. */
  before: readonly BlockContent[];
  samples: readonly Code[];
  /** What it answers. */
  after: readonly BlockContent[];
}>;

/** Makes the sections of a reference, each heading with an anchor of its own. */
export function toReferenceTree({ operations, schemas }: Reference, site: Site): ReferenceTree {
  return {
    operations: operations.map((operation) => ({
      operation,
      before: toQuestion(operation),
      samples: operation.samples.map(({ language, code: value }) => fence(language, value)),
      after: toAnswer(operation, site),
    })),
    schemas: schemas.flatMap(toSchemaSection),
  };
}

/** The same as one text, in which samples stand below each other. */
export function toReferenceBlocks({ operations, schemas }: ReferenceTree): BlockContent[] {
  return [
    ...operations.flatMap(({ before, samples, after }) => [...before, ...samples, ...after]),
    ...schemas,
  ];
}

function toQuestion(operation: ReferenceOperation): BlockContent[] {
  const { id, method, path, summary, description, parameters } = operation;
  return [
    withAnchor(heading(2, summary), id),
    fence('http', `${method} ${path}`),
    ...toDescription(description),
    ...(parameters.length === 0
      ? [paragraph('It takes no parameters.')]
      : [table(['Parameter', 'Takes', 'Without it', 'What for'], parameters.map(toParameterRow))]),
  ];
}

function toParameterRow(parameter: ReferenceParameter) {
  const { name, takes, isRequired, defaultsTo, description } = parameter;
  const without = isRequired ? 'needed' : defaultsTo === null ? 'any' : code(defaultsTo);
  return [code(name), parsePhrases(takes), without, parsePhrases(description)];
}

function toAnswer({ id, responses }: ReferenceOperation, site: Site): BlockContent[] {
  const [success] = responses;
  const failure = responses.find(({ status, example }) => status.startsWith('4') && example);
  return [
    withAnchor(heading(3, 'Answers'), `${id}-answers`),
    table(
      ['Status', 'Body', 'When'],
      responses.map((response) => toResponseRow(response, site)),
    ),
    ...toExample(success, 'For example:'),
    ...toExample(failure, `A ${failure?.status}, for example:`),
  ];
}

function toResponseRow(response: ReferenceResponse, site: Site) {
  const { status, mediaType, schema, description } = response;
  const body: Phrase[] = mediaType === null ? ['none'] : [code(mediaType)];
  if (schema !== null) body.push(': ', toSchemaLink(schema, site));
  return [status, body, parsePhrases(description)];
}

const languages: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/rss+xml': 'xml',
};

function toExample(response: ReferenceResponse | undefined, lead: string): BlockContent[] {
  if (response?.example == null) return [];
  return [paragraph(lead), fence(languages[response.mediaType ?? ''] ?? 'text', response.example)];
}

function toSchemaSection({ name, description, fields }: ReferenceSchema): BlockContent[] {
  const rows = fields.map((field) => [
    code(field.name),
    field.isRequired
      ? parsePhrases(field.type)
      : [...parsePhrases(field.type), ', may be left out'],
    parsePhrases(field.description),
  ]);
  return [
    withAnchor(heading(2, name), toSchemaAnchor(name)),
    ...toDescription(description),
    table(['Field', 'Type', 'What it is'], rows),
  ];
}

function toSchemaLink(name: string, site: Site): Phrase {
  const url = `${pageUrl(site, 'apiDocs')}#${toSchemaAnchor(name)}`;
  return { type: 'link', url, children: [code(name)] };
}

function toSchemaAnchor(name: string): string {
  return `schema-${name}`;
}

function toDescription(markdown: string): BlockContent[] {
  return markdown === '' ? [] : [paragraph(...parsePhrases(markdown))];
}

function fence(lang: string, value: string): Code {
  return { type: 'code', lang, value };
}
