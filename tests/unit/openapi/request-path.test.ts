import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toRequestPath } from '#lib/openapi/request-path.ts';

const list = {
  path: '/api/v1/events',
  parameters: [
    { name: 'status', in: 'query' },
    { name: 'q', in: 'query' },
  ],
} as const;
const item = {
  path: '/api/v1/events/{idOrSlug}',
  parameters: [{ name: 'idOrSlug', in: 'path' }],
} as const;

test('values go into the query, repeated ones too, and empty ones are left out', () => {
  const values = [
    ['status', 'upcoming'],
    ['status', 'ended'],
    ['q', ''],
  ] as const;
  expect(toRequestPath(list, values)).toBe('/api/v1/events?status=upcoming&status=ended');
  expect(toRequestPath(list, [])).toBe('/api/v1/events');
});

test('a name that the operation does not take is left out', () => {
  expect(toRequestPath(item, [['operation', 'getEvent']])).toBe('/api/v1/events');
});

test('whatever is typed reaches the server as it was typed, and leads nowhere else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (typed) => {
      const inQuery = new URL(toRequestPath(list, [['q', typed]]), 'https://a.example');
      expect(inQuery.searchParams.getAll('q')).toEqual([typed.toWellFormed()]);
      // An address has no way to say these two.
      fc.pre(typed !== '.' && typed !== '..');
      const path = toRequestPath(item, [['idOrSlug', typed]]);
      expect(path.startsWith('/api/v1/events/')).toBe(true);
      expect(path.slice('/api/v1/events/'.length)).not.toMatch(/[/?#\\\s]/);
    }),
  );
});
