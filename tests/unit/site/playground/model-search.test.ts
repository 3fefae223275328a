import { expect, test } from 'vitest';
import { noFilter } from '#lib/site/playground/model-filter.ts';
import { parseModelFilter, toModelSearch } from '#lib/site/playground/model-search.ts';

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
  } as const;
  const search = '?q=tide&context=128000&price=0.25&can=vision,tools&free=1&sort=price';
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
