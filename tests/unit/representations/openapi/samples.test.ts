import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toRequestPath } from '#lib/representations/openapi/samples.ts';

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

test('values go into the query, repeated ones too, and empty ones are ignored', () => {
  const values = [
    ['status', 'upcoming'],
    ['status', 'ended'],
    ['q', ''],
  ] as const;
  expect(toRequestPath(list, values)).toBe('/api/v1/events?status=upcoming&status=ended');
  expect(toRequestPath(list, [])).toBe('/api/v1/events');
});

test('an unknown parameter is ignored', () => {
  expect(toRequestPath(item, [['operation', 'getEvent']])).toBe('/api/v1/events');
});

test('any input reaches the server unchanged and stays on the operation’s path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (typed) => {
      const inQuery = new URL(toRequestPath(list, [['q', typed]]), 'https://a.example');
      expect(inQuery.searchParams.getAll('q')).toEqual([typed.toWellFormed()]);
      // A path cannot contain these two as segments.
      fc.pre(typed !== '.' && typed !== '..');
      const path = toRequestPath(item, [['idOrSlug', typed]]);
      expect(path.startsWith('/api/v1/events/')).toBe(true);
      expect(path.slice('/api/v1/events/'.length)).not.toMatch(/[/?#\\\s]/);
    }),
  );
});
