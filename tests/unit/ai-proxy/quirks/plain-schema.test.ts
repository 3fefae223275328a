import { expect, test } from 'vitest';
import { createPlainSchemas } from '#lib/ai-proxy/quirks/plain-schema.ts';

const manyTimes = (count: number, reference: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`p${index}`, { $ref: reference }]),
  );
test.each<[string, object]>([
  ['itself', { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' } } }],
  ['itself, many times', { type: 'object', properties: manyTimes(10_000, '#') }],
  [
    'a long text, many times',
    {
      $defs: { long: { type: 'string', description: 'x'.repeat(100_000) } },
      properties: manyTimes(10_000, '#/$defs/long'),
    },
  ],
  [
    'a long list, many times',
    {
      $defs: { long: { enum: Array.from({ length: 20_000 }, String) } },
      properties: manyTimes(10_000, '#/$defs/long'),
    },
  ],
  ['itself, in lists', { allOf: Array.from({ length: 100_000 }, () => ({ $ref: '#' })) }],
])('a schema that refers to %s is not much longer than it was', (_, schema) => {
  const before = JSON.stringify(schema).length;
  expect(JSON.stringify(createPlainSchemas()(schema)).length).toBeLessThan(2 * before + 600_000);
});
