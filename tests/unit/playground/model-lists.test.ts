import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toModelsMarkdown } from '#lib/markdown/pages/models.ts';
import {
  addKnownFacts,
  filterModels,
  readModelList,
  toPriceInWords,
} from '#lib/playground/model-lists.ts';
import { readCells } from '../../support/responses/markdown-tree.ts';
import { testSite as site } from '../../support/test-site.ts';

const openAiForm = {
  object: 'list',
  data: [
    { id: 'b-model', object: 'model', created: 1_700_000_000, owned_by: 'acme' },
    { id: 'a-model', object: 'model', created: 1_700_000_000, owned_by: 'acme' },
    { id: 'b-model', object: 'model', created: 1_700_000_001, owned_by: 'other' },
  ],
};

const aggregatorForm = {
  data: [
    {
      id: 'borealis/embed-large',
      name: 'Borealis: Embed Large',
      context_length: 8192,
      pricing: { prompt: '0.00000013', completion: '0' },
    },
  ],
};

test('OpenAI’s format is read, without duplicates, sorted by id', () => {
  expect(readModelList(openAiForm)).toEqual([
    { id: 'a-model', name: null, owner: 'acme', contextTokens: null, priceIn: null },
    { id: 'b-model', name: null, owner: 'acme', contextTokens: null, priceIn: null },
  ]);
});

test('an aggregator’s format adds names, lengths and prices per million tokens', () => {
  const [model] = readModelList(aggregatorForm);
  expect(model).toMatchObject({
    id: 'borealis/embed-large',
    name: 'Borealis: Embed Large',
    owner: 'borealis',
    contextTokens: 8192,
  });
  expect(toPriceInWords(model?.priceIn ?? 0)).toBe('$0.13');
});

test('invalid values are dropped, and nothing throws', () => {
  const data = [null, 7, {}, { id: 7 }, { id: ' ' }, { id: 'x', context_length: '8k', pricing: 1 }];
  expect(readModelList({ data }).map(({ id }) => id)).toEqual(['x']);
  fc.assert(fc.property(fc.jsonValue(), (body) => Array.isArray(readModelList(body))));
});

test.for([
  [0, 'free'],
  [0.02, '$0.02'],
  [0.0375, '$0.0375'],
  [2.5, '$2.5'],
  [15, '$15'],
] as const)('%d dollars are %s', ([dollars, words]) => {
  expect(toPriceInWords(dollars)).toBe(words);
});

test('a newer list keeps details of the earlier one, for its own models only', () => {
  const known = readModelList(aggregatorForm);
  const newer = readModelList({ data: [{ id: 'borealis/embed-large' }, { id: 'new' }] });
  expect(addKnownFacts(newer, known)).toEqual([
    ...known,
    { id: 'new', name: null, owner: null, contextTokens: null, priceIn: null },
  ]);
  expect(addKnownFacts([], known)).toEqual([]);
});

test('a search matches all words, in any order and case, in id, name and owner', () => {
  const models = [...readModelList(openAiForm), ...readModelList(aggregatorForm)];
  const idsOf = (search: string) => filterModels(models, search).map(({ id }) => id);
  expect(idsOf('')).toHaveLength(3);
  expect(idsOf('ACME b')).toEqual(['b-model']);
  expect(idsOf('large borealis')).toEqual(['borealis/embed-large']);
  expect(idsOf('nothing like it')).toEqual([]);
});

const listed = {
  kind: 'listed',
  language: readModelList(openAiForm),
  embedding: readModelList(aggregatorForm),
  readAtMs: 0,
} as const;

test('the Markdown has a row for each model, and links to the JSON lists', () => {
  const markdown = toModelsMarkdown(listed, { site });
  expect(markdown).toMatch(/^# Models\n\n.*llms\.txt/);
  expect(markdown).toContain('2 language models, 1 embedding models.');
  expect(readCells(markdown)).toContainEqual(['a-model', '', 'acme', '', '']);
  expect(readCells(markdown)).toContainEqual([
    'borealis/embed-large',
    'Borealis: Embed Large',
    'borealis',
    '8192',
    '$0.13',
  ]);
  expect(markdown).toContain('https://events.example/proxy/v1/embeddings/models');
});

test.for(['unconfigured', 'unreachable'] as const)('models that are %s have a message', (kind) => {
  const markdown = toModelsMarkdown({ kind }, { site });
  expect(markdown).toMatch(/^# Models\n/);
  expect(markdown).not.toContain('| Id |');
  expect(markdown).toContain('https://events.example/proxy/v1');
});

test('thousands of models give a page below 50,000 characters that says how many are missing', () => {
  const data = Array.from({ length: 3_000 }, (_, index) => ({
    id: `vendor/model-${index}`,
    name: `A model | with *marks* [${index}]`,
  }));
  const models = readModelList({ data });
  const markdown = toModelsMarkdown({ ...listed, language: models, embedding: models }, { site });
  expect(markdown.length).toBeLessThan(50_000);
  expect(markdown).toMatch(/\d{4} more are in the JSON/);
});
