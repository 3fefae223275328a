import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addKnownFacts,
  type ListedModel,
  readEmbeddingList,
  readModelList,
  toPriceInWords,
  toPricesInWords,
  toTokensInWords,
} from '#lib/representations/listed-models.ts';
import { toModelsMarkdown } from '#lib/representations/markdown/pages/models.ts';
import { readCells } from '../../../support/responses/markdown-tree.ts';
import { testSite as site } from '../../../support/test-site.ts';

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

const unknown: Omit<ListedModel, 'id'> = {
  name: null,
  owner: null,
  description: null,
  contextTokens: null,
  priceIn: null,
  priceOut: null,
  capabilities: [],
  created: 0,
};

test('OpenAI’s format is read, without duplicates, sorted by id', () => {
  expect(readModelList(openAiForm)).toEqual([
    { ...unknown, id: 'a-model', owner: 'acme', created: 1_700_000_000 },
    { ...unknown, id: 'b-model', owner: 'acme', created: 1_700_000_000 },
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
  expect(model && toPricesInWords(model)).toBe('$0.13 / $0.00');
  const [embedding] = readEmbeddingList(aggregatorForm);
  expect(embedding && toPricesInWords(embedding)).toBe('$0.13');
});

test('what a model can do is read from its inputs and parameters', () => {
  const data = [
    {
      id: 'all',
      architecture: { input_modalities: ['text', 'image'] },
      supported_parameters: ['tools', 'include_reasoning', 'seed'],
    },
    { id: 'text', architecture: { input_modalities: ['text'] }, supported_parameters: ['seed'] },
  ];
  expect(readModelList({ data }).map((model) => model.capabilities)).toEqual([
    ['vision', 'tools', 'reasoning'],
    [],
  ]);
});

test('a long description is cut between words', () => {
  const [model] = readModelList({
    data: [{ id: 'x', description: 'so  many\nwords '.repeat(50) }],
  });
  expect(model?.description).toMatch(/^so many words so .{150,210} …$/);
});

test('invalid values are dropped, and nothing throws', () => {
  const data = [null, 7, {}, { id: 7 }, { id: ' ' }, { id: 'x', context_length: '8k', pricing: 1 }];
  expect(readModelList({ data }).map(({ id }) => id)).toEqual(['x']);
  fc.assert(fc.property(fc.jsonValue(), (body) => Array.isArray(readModelList(body))));
});

test.for([
  [0, '$0.00'],
  [0.02, '$0.02'],
  [0.0375, '$0.0375'],
  [2.5, '$2.50'],
  [15, '$15.00'],
] as const)('%d dollars are %s', ([dollars, words]) => {
  expect(toPriceInWords(dollars)).toBe(words);
});

test.for([
  [2.5, 10, '$2.50 / $10.00'],
  [0, 0, 'Free'],
  [0, null, 'Free'],
  [0, 1, '$0.00 / $1.00'],
  [0.1, null, '$0.10'],
  [null, 3, null],
] as const)('input at %d and output at %d is %s', ([priceIn, priceOut, words]) => {
  expect(toPricesInWords({ ...unknown, id: 'x', priceIn, priceOut })).toBe(words);
});

test.for([
  [400_000, '400K'],
  [1_000_000, '1M'],
  [32_768, '32.8K'],
] as const)('%d tokens are %s', ([count, words]) => {
  expect(toTokensInWords(count)).toBe(words);
});

test('a newer list keeps details of the earlier one, for its own models only', () => {
  const known = readModelList(aggregatorForm);
  const newer = readModelList({ data: [{ id: 'borealis/embed-large' }, { id: 'new' }] });
  expect(addKnownFacts(newer, known)).toEqual([...known, { ...unknown, id: 'new' }]);
  expect(addKnownFacts([], known)).toEqual([]);
});

const listed = {
  kind: 'listed',
  language: readModelList(openAiForm),
  embedding: readEmbeddingList(aggregatorForm),
  readAtMs: 0,
} as const;

test('the Markdown has a row for each model, and links to the JSON lists', () => {
  const markdown = toModelsMarkdown(listed, { site });
  expect(markdown).toMatch(/^# AI models\n\n.*llms\.txt/);
  expect(markdown).toContain('2 language models, 1 embedding models.');
  expect(readCells(markdown)).toContainEqual(['a-model', '', 'acme', '', '', '']);
  expect(readCells(markdown)).toContainEqual([
    'borealis/embed-large',
    'Borealis: Embed Large',
    'borealis',
    '8192',
    '$0.13',
    '',
  ]);
  expect(markdown).toContain('https://events.example/proxy/v1/embeddings/models');
});

test.for(['unconfigured', 'unreachable'] as const)('models that are %s have a message', (kind) => {
  const markdown = toModelsMarkdown({ kind }, { site });
  expect(markdown).toMatch(/^# AI models\n/);
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
  expect(markdown).toMatch(/\d,\d{3} more are in the JSON/);
});
