import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventStatuses } from '#lib/events/model/choices.ts';
import { parseFeedQuery, parseListQuery, requireNoQuery } from '#lib/events/query/parse-query.ts';
import { isHttpError } from '#lib/http/errors/errors.ts';
import { anyText } from '../../../support/factories/any-text.ts';

const endpoint = 'http://localhost/api/v1/events';

test('a query string parses the same when it is cached', () => {
  for (let time = 0; time < 2; time++) {
    expect(parseListQuery(`${endpoint}?status=ended&limit=3`).query).toEqual({
      status: ['ended'],
      limit: 3,
    });
  }
});

test.for([
  ['?limit=5&status=ended', '?status=ended&limit=5'],
  ['?status=ENDED', '?status=ended'],
  ['?status=', ''],
  ['?status=ended,ended', '?status=ended'],
  ['?status=ended,upcoming', '?status=upcoming&status=ended'],
  ['?format=online%2Cboth', '?format=both,online'],
  ['?sort=startDate&order=desc', ''],
] as const)('equal queries have equal keys: %s', ([a, b]) => {
  expect(parseListQuery(endpoint + a).key).toBe(parseListQuery(endpoint + b).key);
});

test('the order of values does not change the key', () => {
  const values = fc.uniqueArray(fc.constantFrom(...eventStatuses), { minLength: 1 });
  fc.assert(
    fc.property(values, (given) => {
      const { key } = parseListQuery(`${endpoint}?status=${given.join(',')}`);
      expect(key).toBe(parseListQuery(`${endpoint}?status=${given.toSorted().join(',')}`).key);
    }),
  );
});

test('other queries have other keys', () => {
  const searches = [
    '',
    '?q=a',
    '?q=b',
    '?limit=1',
    '?limit=10',
    '?order=asc',
    '?sort=name',
    '?status=ended',
    '?format=both',
  ];
  expect(new Set(searches.map((search) => parseListQuery(endpoint + search).key)).size).toBe(
    searches.length,
  );
});

// ASVS 15.3.7
test.for([
  '?q=%',
  '?q=%FF',
  '?q=%00',
  `?q=${'x'.repeat(5000)}`,
  '?limit=0',
  '?nope=1',
  '?limit=1&limit=2',
])('an invalid query is a 400 with a hint: %s', (search) => {
  expect(() => parseListQuery(endpoint + search)).toThrow(
    expect.objectContaining({ code: 'bad_request', hint: expect.stringMatching(/./) }),
  );
});

test('an invalid query is rejected the second time, too', () => {
  expect(() => parseListQuery(`${endpoint}?limit=0`)).toThrow();
  expect(() => parseListQuery(`${endpoint}?limit=0`)).toThrow();
});

test('any URL gives a query or a 400', () => {
  const search = fc.oneof(
    anyText(),
    fc.webQueryParameters(),
    fc
      .array(
        fc.constantFrom('limit=', 'status=', '&', '%', '%2', '%2C', 'ended', '?', '#', '+', '[]'),
        { maxLength: 12 },
      )
      .map((all) => all.join('')),
  );
  fc.assert(
    fc.property(search, (text) => {
      for (const read of [parseListQuery, parseFeedQuery, requireNoQuery]) {
        try {
          read(`${endpoint}?${text}`);
        } catch (error) {
          if (!isHttpError(error)) throw error;
          expect(error.status).toBe(400);
          expect(error.hint).toBeTruthy();
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('an endpoint without parameters accepts a bare question mark only', () => {
  expect(() => requireNoQuery(`${endpoint}/x?`)).not.toThrow();
  expect(() => requireNoQuery(`${endpoint}/x?limit=5`)).toThrow(
    expect.objectContaining({ code: 'bad_request' }),
  );
});
