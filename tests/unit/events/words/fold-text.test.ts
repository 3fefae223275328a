import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText } from '#lib/events/words/fold-text.ts';
import { anyText } from '../../../support/factories/any-text.ts';

test('case, accents and compatibility forms make no difference', () => {
  expect(foldText('ÉCOLE')).toBe(foldText('e\u0301cole'));
  expect(foldText('Straße')).toBe('strasse');
  expect(foldText('Łódź')).toBe('lodz');
  expect(foldText('ﬁle')).toBe('file');
  expect(foldText('İzmir')).toBe('izmir');
  expect(foldText('𝕷𝖆𝖓𝖙𝖊𝖗𝖓')).toBe('lantern');
});

test('folding is idempotent', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(foldText(foldText(text))).toBe(foldText(text));
    }),
    { numRuns: 300 },
  );
});

test('upper and lower case fold to the same', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...'aéßæøłđñçžığ漢я😀'), { maxLength: 12 }), (letters) => {
      const text = letters.join('');
      expect(foldText(text.toUpperCase()).replaceAll('i', '')).toBe(
        foldText(text).replaceAll('i', ''),
      );
    }),
  );
});
