import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { makeValue } from '#lib/demo/models/completion/value-from-schema.ts';

const words = ['Lisbon', 'Oslo'];

const leaf = fc.oneof(
  fc.constantFrom(z.string(), z.boolean(), z.null(), z.iso.date(), z.email(), z.number(), z.int()),
  fc.tuple(fc.nat(20), fc.nat(20)).map(([min, more]) =>
    z
      .string()
      .min(min)
      .max(min + more),
  ),
  fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 50 })).map(([min, more]) =>
    z
      .int()
      .min(min)
      .max(min + more),
  ),
  fc
    .tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 50 }))
    .map(([above, more]) =>
      z
        .number()
        .gt(above)
        .lt(above + more),
    ),
  fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }).map((all) => z.enum(all)),
  fc.integer().map((value) => z.literal(value)),
);

const { schema: anySchema } = fc.letrec<{ schema: z.ZodType }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc
      .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie('schema'), { maxKeys: 4 })
      .map((shape) => z.object(shape)),
    fc.tuple(tie('schema'), fc.nat(3), fc.nat(3)).map(([item, min, more]) =>
      z
        .array(item)
        .min(min)
        .max(min + more),
    ),
    fc.tuple(tie('schema'), tie('schema')).map(([left, right]) => z.union([left, right])),
    tie('schema').map((inner) => inner.nullable()),
  ),
}));

test('a generated value fits its schema', () => {
  fc.assert(
    fc.property(anySchema, fc.nat(5), (schema, turn) => {
      const value = makeValue(z.toJSONSchema(schema), { words, turn });
      expect(schema.safeParse(value).error).toBeUndefined();
    }),
    { numRuns: 200 },
  );
});

test('references are followed, recursive ones too', () => {
  const node = z.object({
    name: z.string(),
    get children() {
      return z.array(node);
    },
  });
  const value = makeValue(z.toJSONSchema(node), { words, turn: 0 });
  expect(node.parse(value).name).toBe('Lisbon');
});

test('a schema that only refers to itself terminates', () => {
  const schemas = [{ anyOf: [{ $ref: '#' }] }, { $ref: '#' }, { allOf: [{ $ref: '#' }] }];
  const made = schemas.map((schema) => makeValue(schema, { words, turn: 0 }));
  expect(made).toEqual(['demo', 'demo', {}]);
});
