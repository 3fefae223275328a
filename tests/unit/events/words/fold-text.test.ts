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

test.each([
  ['Hangul', '무료', '무료'],
  ['Hangul in parts', '무료'.normalize('NFD'), '무료'],
  ['Thai', 'ฟรี', 'ฟรี'],
  ['Devanagari', 'हिन्दी', 'हिन्दी'],
  ['Bengali', 'বাংলা', 'বাংলা'],
  ['Tamil', 'தமிழ்', 'தமிழ்'],
  ['Japanese', 'ｶﾞｲﾄﾞ', 'ガイド'],
  ['Chinese', '免費', '免費'],
  ['Arabic', 'مَجَّانًا', 'مجانا'],
  ['Hebrew', 'חִנָּם', 'חנם'],
  ['Greek', 'ΔΩΡΕΆΝ', 'δωρεαν'],
  ['Cyrillic', 'Ёлка', 'елка'],
])('of %s, only accents and vowel points are folded', (_script, text, folded) => {
  expect(foldText(text)).toBe(folded);
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
