import { foldText } from './fold-text.ts';

/** Ages in years, both inclusive. */
export type Ages = Readonly<{ from: number; to: number }>;

const ageMax = 120;
/** Until and including this age, people are kids here. */
const kidsTo = 12;

/** Words for ages, folded; the first that occurs decides. */
const wordedAges: readonly (readonly [RegExp, Ages])[] = [
  [
    /\b(?:all ages|any age|every age|everyone|everybody|famil(?:y|ies)|alle|jeden alters|tous|toutes?)\b/,
    { from: 0, to: ageMax },
  ],
  [
    /\b(?:kids?|child|children|kinder|enfants?|ninos?|criancas?|toddlers?)\b/,
    { from: 0, to: kidsTo },
  ],
  [/\b(?:teens?|teenagers?|youths?|jugendliche)\b/, { from: 13, to: 19 }],
  [/\b(?:adults?|grown-?ups?|erwachsene|adultes?)\b/, { from: 18, to: ageMax }],
];

/** The ages that an event is for: `13–18`, `16+`, `from 16`, `under 12`, `up to 10`, `kids`; null if none are named. */
export function parseAges(audience: string | null): Ages | null {
  const text = foldText(audience ?? '').replace(/[–—−]/g, '-');
  const [, first, last] = /(\d{1,3})\s*(?:-|to|and|bis|a|until)\s*(\d{1,3})/.exec(text) ?? [];
  if (first !== undefined && last !== undefined) return toAges(Number(first), Number(last));
  const [, upTo] = /(?:up to|until|max\.?|maximum|bis)\s*(\d{1,3})/.exec(text) ?? [];
  if (upTo !== undefined) return toAges(0, Number(upTo));
  const [, under] = /(?:under|below|younger than|unter|<)\s*(\d{1,3})/.exec(text) ?? [];
  if (under !== undefined) return toAges(0, Number(under) - 1);
  const [, from] = /(\d{1,3})/.exec(text) ?? [];
  if (from !== undefined) return toAges(Number(from), ageMax);
  return wordedAges.find(([words]) => words.test(text))?.[1] ?? null;
}

function toAges(from: number, to: number): Ages | null {
  return from > to || from > ageMax ? null : { from, to: Math.min(to, ageMax) };
}

/** Whether an event is for people of 12 years or younger, among others. What is not known is not. */
export function isForKids(audience: string | null): boolean {
  const ages = parseAges(audience);
  return ages !== null && ages.from <= kidsTo;
}
