import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDirectoryQuery } from '#lib/events/query/directory-query.ts';
import { toDirectorySearch } from '#lib/events/query/directory-search.ts';
import { anyText } from '../../../support/factories/any-text.ts';

test('filters are parsed as in the list', () => {
  const { filters, problems, page } = parseDirectoryQuery({
    status: ['Ongoing', 'upcoming'],
    format: 'in-person',
    projectType: 'cad,Gamedev',
    state: 'Cancelled',
    q: 'jam',
    when: 'Weekend',
    page: '2',
  });
  expect(filters).toEqual({
    status: ['ongoing', 'upcoming'],
    format: ['in-person'],
    projectType: ['CAD', 'Gamedev'],
    state: ['cancelled'],
    q: 'jam',
    when: 'weekend',
  });
  expect({ problems, page }).toEqual({ problems: [], page: 2 });
});

test('an invalid value is ignored and reported; the others apply', () => {
  const { filters, problems } = parseDirectoryQuery({ status: 'ungoing', q: 'jam' });
  expect(filters).toEqual({ q: 'jam' });
  expect(problems).toEqual([
    { message: expect.stringContaining('ungoing'), hint: expect.stringContaining('`ongoing`') },
  ]);
});

test('unknown parameters are ignored', () => {
  expect(parseDirectoryQuery({ utm_source: 'poster', limit: 'x' })).toEqual({
    filters: {},
    page: 1,
    layout: 'posters',
    problems: [],
  });
});

test('the layout is a list if the URL says so; anything else is reported', () => {
  expect(parseDirectoryQuery({ view: 'list' }).layout).toBe('list');
  expect(parseDirectoryQuery({ view: 'posters' })).toMatchObject({
    layout: 'posters',
    problems: [],
  });
  for (const view of ['grid', ['list', 'list']]) {
    const { layout, problems } = parseDirectoryQuery({ view });
    expect(layout).toBe('posters');
    expect(problems).toHaveLength(1);
  }
});

test('both days of a reversed range are ignored, and the hint swaps them', () => {
  const { filters, problems } = parseDirectoryQuery({ from: '2026-12-31', to: '2026-12-01' });
  expect(filters).toEqual({});
  expect(problems[0]?.hint).toContain('from=2026-12-01');
});

test.for(['0', '-1', '1.5', 'two', '99999', ' 2'])('“%s” is not a page', (page) => {
  const { problems, ...rest } = parseDirectoryQuery({ page });
  expect(rest.page).toBe(1);
  expect(problems).toHaveLength(1);
});

test('a search text that is too long is reported and ignored', () => {
  const { filters, problems } = parseDirectoryQuery({ q: 'a'.repeat(10_000) });
  expect(filters).toEqual({});
  expect(problems[0]?.message.length).toBeLessThan(200);
});

test('any parsed query, written as a URL, parses to itself', () => {
  const value = fc.oneof(anyText(), fc.array(anyText(), { maxLength: 3 }));
  const names = fc.constantFrom(
    ...['status', 'state', 'format', 'projectType', 'q', 'when', 'from', 'to', 'page', 'view'],
  );
  fc.assert(
    fc.property(fc.dictionary(names, value), (given) => {
      const { problems: _, ...state } = parseDirectoryQuery(given);
      const search = new URLSearchParams(toDirectorySearch(state));
      const again = parseDirectoryQuery(Object.fromEntries(search));
      const filters = { ...state.filters, ...trimmed(state.filters.q) };
      expect(again).toEqual({ ...state, filters, problems: [] });
    }),
  );
});

function trimmed(q: string | undefined) {
  return q === undefined ? {} : { q: q.trim() };
}
