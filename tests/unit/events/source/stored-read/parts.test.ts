import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Line, pack, toLines, toParts, unpack } from '#lib/events/source/stored-read/parts.ts';
import { makeRecordId } from '../../../../support/factories/draft-factory.ts';

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const cut = (lines: readonly Line[]) => collect(toParts(iterate(lines)));

/** Lines of about a kilobyte that cannot be compressed. */
function makeLines(count: number): Line[] {
  return Array.from({ length: count }, (_, index) => ({
    id: makeRecordId(index),
    text: randomBytes(750).toString('base64'),
  }));
}

test('any lines are the same after they were cut, packed, unpacked and joined', async () => {
  const line = fc.record({
    id: fc.string(),
    text: fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.nat(300_000), async (some, longLength) => {
      const lines = [...some, { id: 'long', text: 'ä€😀'.repeat(longLength / 6) }];
      const parts = await cut(lines);
      const unpacked = await Promise.all(
        parts.map(async (part) => unpack(part.hash, await pack(part))),
      );
      const joined = await collect(toLines(iterate(unpacked)));
      expect(joined).toEqual(lines.map(({ text }) => text));
    }),
    { numRuns: 50 },
  );
});

test('no part has more than 256 kB, even if nothing can be compressed', async () => {
  const lines = [
    ...makeLines(3_000),
    { id: 'long', text: randomBytes(750_000).toString('latin1') },
  ];
  const sizes = await Promise.all(
    (await cut(lines)).map(async (part) => (await pack(part)).length),
  );
  expect(Math.max(...sizes)).toBeLessThanOrEqual(256_000);
  expect(sizes.length).toBeGreaterThan(10);
});

test.for([
  ['changed', 2, (lines: Line[]) => lines.with(1_700, { id: makeRecordId(1_700), text: 'new' })],
  ['added', 2, (lines: Line[]) => lines.toSpliced(1_700, 0, { id: 'recNew', text: 'new' })],
  ['removed', 2, (lines: Line[]) => lines.toSpliced(1_700, 1)],
] as const)('a line that is %s changes at most %i parts', async ([, max, edit]) => {
  const lines = makeLines(3_000);
  const before = new Set((await cut(lines)).map(({ hash }) => hash));
  const after = await cut(edit(lines));
  const changed = after.filter(({ hash }) => !before.has(hash));
  expect(after.length).toBeGreaterThan(10);
  expect(changed.length).toBeGreaterThan(0);
  expect(changed.length).toBeLessThanOrEqual(max);
});

test('bytes that were changed, cut or exchanged are not unpacked', async () => {
  const [a, b] = await cut([
    { id: 'a', text: 'x'.repeat(240_000) },
    { id: 'b', text: 'y'.repeat(240_000) },
  ]);
  if (a === undefined || b === undefined) throw new Error('there are two');
  const packed = await pack(a);
  const changed = Buffer.from(packed);
  changed.writeUInt8(changed.readUInt8(packed.length - 1) ^ 1, packed.length - 1);
  const much = await pack({ hash: '', bytes: Buffer.alloc(50_000_000) });
  for (const content of [
    changed,
    packed.subarray(0, -1),
    await pack(b),
    Buffer.alloc(0),
    Buffer.from('no zstd'),
    much,
  ]) {
    await expect(unpack(a.hash, content)).rejects.toThrow();
  }
  expect((await unpack(a.hash, packed)).equals(a.bytes)).toBe(true);
});
