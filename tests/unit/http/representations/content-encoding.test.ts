import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseEncoding, compress } from '#lib/http/representations/content-encoding.ts';
import { anyText } from '../../../support/factories/any-text.ts';

test.for([
  [null, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['deflate', 'identity'],
  ['identity', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['br;q=0.000', 'identity'],
  ['gzip;q=0, br;q=0, *;q=1', 'identity'],
  ['gzip;q=0, br;q=0.1, *;q=0.5', 'br'],
] as const)('Accept-Encoding %s gives %s', ([accept, encoding]) => {
  expect(chooseEncoding(accept)).toBe(encoding);
});

test('an excluded encoding is never chosen', () => {
  const coding = fc.record({
    coding: fc.constantFrom('br', 'gzip', 'deflate', 'zstd', '*', 'identity'),
    q: fc.constantFrom('', ';q=0', ';q=0.0', ';q=0.5', ';q=1', '; q=0.3'),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(coding, { selector: (weightedCoding) => weightedCoding.coding }),
      (codings) => {
        const chosen = chooseEncoding(codings.map(({ coding, q }) => coding + q).join(', '));
        if (chosen === 'identity') return;
        const named = codings.find((coding) => coding.coding === chosen);
        const coding = named ?? codings.find((coding) => coding.coding === '*');
        expect(coding).toBeDefined();
        expect(coding?.q).not.toMatch(/q=0(?:\.0)?$/);
      },
    ),
  );
});

test('any header gives one of three encodings', () => {
  fc.assert(
    fc.property(anyText(), (accept) => {
      expect(['br', 'gzip', 'identity']).toContain(chooseEncoding(accept));
    }),
  );
});

test('compressed bytes decompress to the original', async () => {
  for (const body of [
    Buffer.alloc(0),
    Buffer.from('é'.repeat(5000)),
    Buffer.alloc(600 * 1024, 7),
  ]) {
    for (const effort of ['usual', 'best'] as const) {
      expect(gunzipSync(await compress(body, 'gzip', effort)).equals(body)).toBe(true);
      expect(brotliDecompressSync(await compress(body, 'br', effort)).equals(body)).toBe(true);
    }
  }
});
