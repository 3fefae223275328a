import { isDeepStrictEqual } from 'node:util';
import type { BlockContent, Code } from 'mdast';
import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { code, fence, heading, link, type Phrase, paragraph, table } from '../markdown/nodes.ts';
import type {
  Reference,
  ReferenceOperation,
  ReferenceParameter,
  ReferenceResponse,
  ReferenceSchema,
} from '../openapi/reference.ts';
import { parsePhrases, withAnchor } from './fill-template.ts';

/** The sections of the API reference that its HTML and Markdown pages share. */
export type ReferenceTree = Readonly<{
  operations: readonly OperationTree[];
  schemas: readonly BlockContent[];
}>;

type OperationTree = Readonly<{
  operation: ReferenceOperation;
  /** Heading, description and parameters. */
  before: readonly BlockContent[];
  samples: readonly Code[];
  /** Responses. */
  after: readonly BlockContent[];
}>;

/** Creates the sections of the API reference; every heading has an anchor. */
export function toReferenceTree({ operations, schemas }: Reference, site: Site): ReferenceTree {
  return {
    operations: operations.map((operation, index) => ({
      operation,
      before: toIntroBlocks(operation, operations.slice(0, index), site),
      samples: operation.samples.map(({ language, code: value }) => fence(language, value)),
      after: toResponseBlocks(operation, site),
    })),
    schemas: schemas.flatMap(toSchemaSection),
  };
}

/** All sections in one list, with the samples one below the other. */
export function toReferenceBlocks({ operations, schemas }: ReferenceTree): BlockContent[] {
  return [
    ...operations.flatMap(({ before, samples, after }) => [...before, ...samples, ...after]),
    ...schemas,
  ];
}

function toIntroBlocks(
  operation: ReferenceOperation,
  earlier: readonly ReferenceOperation[],
  site: Site,
): BlockContent[] {
  const { id, method, path, summary, description } = operation;
  return [
    withAnchor(heading(2, summary), id),
    fence('http', `${method} ${path}`),
    ...toDescription(description),
    ...toParameterBlocks(operation, earlier, site),
  ];
}

/** A few parameters in common are no reason to look them up elsewhere. */
const repeatedMax = 3;

/** A table of the parameters; those that an earlier operation has described are only named. */
function toParameterBlocks(
  { parameters }: ReferenceOperation,
  earlier: readonly ReferenceOperation[],
  site: Site,
): BlockContent[] {
  if (parameters.length === 0) return [paragraph('No parameters.')];
  const isSame = (other: ReferenceParameter) => (parameter: ReferenceParameter) =>
    isDeepStrictEqual(parameter, other);
  const described = earlier.find(
    (other) =>
      other.parameters.filter((known) => parameters.some(isSame(known))).length > repeatedMax,
  );
  const shared = parameters.filter((parameter) => described?.parameters.some(isSame(parameter)));
  const own = parameters.filter((parameter) => !shared.includes(parameter));
  const rows = own.map(toParameterRow);
  const head = ['Parameter', 'Type', 'Default', 'Description'];
  if (described === undefined) return [table(head, rows)];
  const names = shared.flatMap(({ name }, index) =>
    index === 0 ? [code(name)] : [', ', code(name)],
  );
  return [
    paragraph(
      'The same parameters as ',
      link(`${pageUrl(site, 'apiDocs')}#${described.id}`, described.summary),
      ': ',
      ...names,
      '.',
    ),
    ...(own.length === 0 ? [] : [table(head, rows)]),
  ];
}

function toParameterRow(parameter: ReferenceParameter) {
  const { name, type, isRequired, defaultsTo, description } = parameter;
  const standard = isRequired ? 'required' : defaultsTo === null ? 'none' : code(defaultsTo);
  return [code(name), parsePhrases(type), standard, parsePhrases(description)];
}

function toResponseBlocks({ id, responses }: ReferenceOperation, site: Site): BlockContent[] {
  const [success] = responses;
  const failure = responses.find(({ status, example }) => status.startsWith('4') && example);
  return [
    withAnchor(heading(3, 'Responses'), `${id}-responses`),
    table(
      ['Status', 'Body', 'Description'],
      responses.map((response) => toResponseRow(response, site)),
    ),
    ...toExample(success, 'Example:'),
    ...toExample(failure, `Example of a ${failure?.status}:`),
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
    field.isRequired ? parsePhrases(field.type) : [...parsePhrases(field.type), ', optional'],
    parsePhrases(field.description),
  ]);
  return [
    withAnchor(heading(2, name), toSchemaAnchor(name)),
    ...toDescription(description),
    table(['Field', 'Type', 'Description'], rows),
  ];
}

function toSchemaLink(name: string, site: Site): Phrase {
  return link(`${pageUrl(site, 'apiDocs')}#${toSchemaAnchor(name)}`, code(name));
}

function toSchemaAnchor(name: string): string {
  return `schema-${name}`;
}

function toDescription(markdown: string): BlockContent[] {
  return markdown === '' ? [] : [paragraph(...parsePhrases(markdown))];
}
