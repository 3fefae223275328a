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

/** Up to an age, which is included, before or after it. */
const upToAge =
  /(?:\b(?:up to|until|max\.?|maximum|bis|hasta|ate|fino a|jusqu'a|tot)|≤)\s*(\d{1,3})|(\d{1,3})\s*(?:(?:years?\s*)?(?:and|&|or)\s*(?:under|below|younger)|歳以下|세 이하|岁以下)/;
const underAge =
  /(?:\bu-?|\b(?:under|below|younger than|unter|onder|menos de|moins de)[\s-]*|<\s*)(\d{1,3})|(\d{1,3})\s*(?:歳未満|세 미만)/;

/** The ages that an event is for: `13–18`, `16+`, `from 16`, `under 12`, `up to 10`, `kids`; null if none are named. */
export function parseAges(audience: string | null): Ages | null {
  const text = foldText(audience ?? '').replace(/[–—−]/g, '-');
  const [, first, last] = /(\d{1,3})\s*(?:-|to|and|bis|a|until)\s*(\d{1,3})/.exec(text) ?? [];
  if (first !== undefined && last !== undefined) return toAges(Number(first), Number(last));
  const upTo = findAge(text, upToAge);
  if (upTo !== null) return toAges(0, upTo);
  const under = findAge(text, underAge);
  if (under !== null) return toAges(0, under - 1);
  const [, from] = /(\d{1,3})/.exec(text) ?? [];
  if (from !== undefined) return toAges(Number(from), ageMax);
  return wordedAges.find(([words]) => words.test(text))?.[1] ?? null;
}

function findAge(text: string, pattern: RegExp): number | null {
  const [, before, after] = pattern.exec(text) ?? [];
  const age = before ?? after;
  return age === undefined ? null : Number(age);
}

function toAges(from: number, to: number): Ages | null {
  return from > to || from > ageMax ? null : { from, to: Math.min(to, ageMax) };
}

/** Whether an event is for people of 12 years or younger, among others. What is not known is not. */
export function isForKids(audience: string | null): boolean {
  const ages = parseAges(audience);
  return ages !== null && ages.from <= kidsTo;
}
