import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatQuery } from '#lib/events/query/events-query.ts';
import { findMonth, parsePageQuery, type SearchParams } from '#lib/events/query/page-query.ts';
import { anyText } from '../../../support/factories/any-text.ts';

test('filters are parsed as in the list', () => {
  const { query, problems } = parsePageQuery('directory', {
    status: ['Ongoing', 'upcoming'],
    format: 'in-person',
    projectType: 'cad,Gamedev',
    state: 'Cancelled',
    q: 'jam',
    when: 'Weekend',
    page: '2',
  });
  expect(query).toEqual({
    page: 2,
    status: ['ongoing', 'upcoming'],
    format: ['in-person'],
    projectType: ['CAD', 'Gamedev'],
    state: ['cancelled'],
    q: 'jam',
    when: 'weekend',
  });
  expect(problems).toEqual([]);
});

test('an invalid value is ignored and reported; the others apply', () => {
  const { query, problems } = parsePageQuery('directory', { status: 'ungoing', q: 'jam' });
  expect(query).toEqual({ q: 'jam' });
  expect(problems).toEqual([
    {
      message: expect.stringContaining('ungoing'),
      hint: expect.stringContaining('`ongoing`'),
      words: 'We don’t know “ungoing”.',
      choices: ['upcoming', 'ongoing', 'ended'],
    },
  ]);
});

test('unknown parameters are ignored', () => {
  expect(parsePageQuery('directory', { utm_source: 'poster', limit: 'x' })).toEqual({
    query: {},
    problems: [],
  });
});

test('the layout is a list if the URL says so; anything else is reported', () => {
  expect(parsePageQuery('directory', { view: 'list' }).query.view).toBe('list');
  expect(parsePageQuery('directory', { view: 'posters' }).problems).toEqual([]);
  for (const view of ['grid', ['list', 'list']]) {
    const { query, problems } = parsePageQuery('directory', { view });
    expect(query).toEqual({});
    expect(problems).toHaveLength(1);
  }
});

test('both days of a reversed range are ignored, and the hint swaps them', () => {
  const { query, problems } = parsePageQuery('directory', { from: '2026-12-31', to: '2026-12-01' });
  expect(query).toEqual({});
  expect(problems[0]?.hint).toContain('from=2026-12-01');
  expect(problems[0]?.range).toEqual({ from: '2026-12-31', to: '2026-12-01' });
});

test.for(['0', '-1', '1.5', 'two', '99999', ' 2'])('“%s” is not a page', (page) => {
  const { query, problems } = parsePageQuery('directory', { page });
  expect(query).toEqual({});
  expect(problems).toHaveLength(1);
});

test('a search text that is too long is reported and ignored', () => {
  const { query, problems } = parsePageQuery('directory', { q: 'a'.repeat(10_000) });
  expect(query).toEqual({});
  expect(problems[0]?.message.length).toBeLessThan(200);
});

test('any parsed query, written as a URL, parses to itself', () => {
  const value = fc.oneof(anyText(), fc.array(anyText(), { maxLength: 3 }));
  const names = fc.constantFrom(
    'status',
    'state',
    'format',
    'projectType',
    'q',
    'when',
    'from',
    'to',
    'page',
    'view',
  );
  fc.assert(
    fc.property(fc.dictionary(names, value), (parameters: SearchParams) => {
      const { query } = parsePageQuery('directory', parameters);
      const search = formatQuery(query);
      const { page = 1, view = 'posters', ...filters } = query;
      const again = parsePageQuery('directory', search);
      expect(again.problems).toEqual([]);
      expect({ page: 1, view: 'posters', ...again.query }).toEqual({
        page,
        view,
        ...filters,
        ...trimmed(filters.q),
      });
    }),
  );
});

function trimmed(q: string | undefined) {
  return q === undefined ? {} : { q: q.trim() };
}

const today = '2026-11-22';

function parse(search: string) {
  return parsePageQuery('month', search);
}

test('without a month it is the current one', () => {
  expect(parse('')).toEqual({ query: {}, problems: [] });
  expect(findMonth('/calendar', today)).toBe('2026-11');
});

test('filters apply, except dates: the month is the range', () => {
  expect(parse('?month=2027-02&format=online&from=2026-12-01&to=2026-12-02&page=3')).toEqual({
    query: { format: ['online'], month: '2027-02' },
    problems: [],
  });
});

test('an invalid filter of the month view is ignored and reported', () => {
  const { query, problems } = parse('?format=ofline');
  expect(query).toEqual({});
  expect(problems[0]?.hint).toMatch(/Did you mean `online`\?/);
});

test.for([
  ['?month=2027-02', '2027-02'],
  ['?month=', '2026-11'],
  ['?month=2031-11', '2031-11'],
  ['?month=2031-12', null],
  ['?month=2016-10', null],
  ['?month=9999-12', null],
  ['?month=0000-01', null],
  ['?month=2026-13', null],
  ['?month=december', null],
  ['?month=2026-12&month=2027-01', null],
  ['?month=<script>', null],
] as const)('%s shows %s', ([search, expected]) => {
  expect(findMonth(`/calendar${search}`, today)).toBe(expected);
});

test('pages round positions to a tenth of a degree', () => {
  const { query, problems } = parsePageQuery('directory', { near: '51.0543,3.7174', within: '20' });
  expect(query).toEqual({ near: '51.1,3.7', within: 20 });
  expect(problems).toEqual([]);
  expect(formatQuery(query)).toBe('?near=51.1,3.7&within=20');
});

test('a distance from nowhere is reported and ignored', () => {
  const { query, problems } = parsePageQuery('month', { within: '20', city: 'Ghent' });
  expect(query).toEqual({ city: 'Ghent' });
  expect(problems[0]?.message).toContain('`within`');
});

test('the form of subscriptions may send a distance without a place: it is left out without a word', () => {
  const { query, problems } = parsePageQuery('subscribe', { within: '20', city: 'Ghent' });
  expect(query).toEqual({ city: 'Ghent' });
  expect(problems).toEqual([]);
});
