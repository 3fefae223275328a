import { expect, test } from 'vitest';
import { type ListedModel, readModelList } from '#lib/representations/listed-models.ts';
import {
  findFirstModel,
  type ModelFilter,
  noFilter,
  parseModelFilter,
  selectModels,
  toConversationPrice,
  toggleCompared,
  toModelSearch,
} from '#lib/site/playground/model-filter.ts';

function makeModel(id: string, facts: Partial<ListedModel> = {}): ListedModel {
  const unknown = { name: null, owner: null, description: null, contextTokens: null } as const;
  return { id, ...unknown, priceIn: null, priceOut: null, capabilities: [], created: 0, ...facts };
}

const models = [
  makeModel('acme/big', {
    name: 'The Big One',
    contextTokens: 1_000_000,
    priceIn: 3,
    priceOut: 15,
    capabilities: ['vision', 'tools'],
    created: 200,
  }),
  makeModel('acme/small', {
    contextTokens: 32_000,
    priceIn: 0.2,
    priceOut: 0.8,
    capabilities: ['tools'],
    created: 300,
  }),
  makeModel('open/free', { contextTokens: 8192, priceIn: 0, priceOut: 0, created: 100 }),
  makeModel('plain', { owner: 'acme' }),
];

const idsOf = (filter: Partial<ModelFilter>) =>
  selectModels(models, { ...noFilter, ...filter }).map(({ id }) => id);

test.for<[filter: Partial<ModelFilter>, ids: string[]]>([
  [{}, ['acme/big', 'acme/small', 'open/free', 'plain']],
  [{ search: 'BIG acme' }, ['acme/big']],
  [{ search: 'acme' }, ['acme/big', 'acme/small', 'plain']],
  [{ search: 'nothing like it' }, []],
  [{ contextMin: 32_000 }, ['acme/big', 'acme/small']],
  [{ priceMax: 0.25 }, ['acme/small', 'open/free']],
  [{ isFree: true }, ['open/free']],
  [{ capabilities: ['tools'] }, ['acme/big', 'acme/small']],
  [{ capabilities: ['vision', 'tools'] }, ['acme/big']],
  [{ capabilities: ['reasoning'] }, []],
  [{ capabilities: ['tools'], priceMax: 1, search: 'small' }, ['acme/small']],
  [{ order: 'price' }, ['open/free', 'acme/small', 'acme/big', 'plain']],
  [{ order: 'context' }, ['acme/big', 'acme/small', 'open/free', 'plain']],
  [{ order: 'newest' }, ['acme/small', 'acme/big', 'open/free', 'plain']],
])('%j selects %j', ([filter, ids]) => {
  expect(idsOf(filter)).toEqual(ids);
});

test('a chat starts with the cheapest model that has a long context and tools, or else with the first', () => {
  expect(findFirstModel(models.toReversed())?.id).toBe('acme/small');
  expect(findFirstModel(models.slice(2))?.id).toBe('open/free');
  expect(findFirstModel([])).toBeUndefined();
});

const parse = (search: string) => parseModelFilter(new URLSearchParams(search));

test('without filters the query is empty', () => {
  expect(toModelSearch(noFilter)).toBe('');
  expect(parse('')).toEqual(noFilter);
});

test('every filter is in the query, in a fixed order', () => {
  const filter = {
    search: 'tide',
    contextMin: 128_000,
    priceMax: 0.25,
    capabilities: ['vision', 'tools'],
    isFree: true,
    order: 'price',
    compared: ['a/b', 'c'],
  } as const;
  const search =
    '?q=tide&context=128000&price=0.25&can=vision,tools&free=1&sort=price&compare=a%2Fb&compare=c';
  expect(toModelSearch(filter)).toBe(search);
  expect(parse(search)).toEqual(filter);
});

test('a form without JavaScript repeats names and sends empty values', () => {
  expect(parse('?q=&context=0&price=&sort=name&can=tools&can=vision')).toEqual({
    ...noFilter,
    capabilities: ['vision', 'tools'],
  });
});

test.each(['?context=7', '?price=-1', '?can=fly', '?free=yes', '?sort=__proto__', '?utm_source=x'])(
  '%s is ignored',
  (search) => {
    expect(parse(search)).toEqual(noFilter);
  },
);

test('at most three models are compared: the one that was chosen first goes', () => {
  expect(parse('?compare=a&compare=&compare=a&compare=b&compare=c&compare=d').compared).toEqual([
    'a',
    'b',
    'c',
  ]);
  expect(toggleCompared(['a', 'b', 'c'], 'd')).toEqual(['b', 'c', 'd']);
  expect(toggleCompared(['a', 'b', 'c'], 'b')).toEqual(['a', 'c']);
});

test('a conversation costs its 10,000 tokens in and 1,000 out', () => {
  const [model] = readModelList({
    data: [{ id: 'm', pricing: { prompt: '0.000002', completion: '0.00001' } }],
  });
  expect(model && toConversationPrice(model)).toBeCloseTo(0.03);
  const [unknown] = readModelList({ data: [{ id: 'm' }] });
  expect(unknown && toConversationPrice(unknown)).toBeNull();
});
