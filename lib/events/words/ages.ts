import { foldText } from './fold-text.ts';

/** Ages in years, both inclusive. */
export type Ages = Readonly<{ from: number; to: number }>;

const ageMax = 120;
/** Until and including this age, people are kids here. */
const kidsTo = 12;

/** Words for ages, folded; the first that occurs decides. */
const wordedAges: readonly (readonly [RegExp, Ages])[] = [
  [
    toPattern(
      'all ages|any age|every age|everyone|everybody|famil(?:y|ies)|alle|jeden alters|tous|toute?s?|todos|todas|tutti',
      'iedereen|alla aldrar|kaikki|wszyscy|wszystkich|vsichni|vsechny|всех|усіх',
    ),
    { from: 0, to: ageMax },
  ],
  [
    toPattern(
      'kids?|child|children|kinder(?:en)?|enfants?|ninos?|criancas?|toddlers?|bambini|barn|lapset',
      'dzieci|deti|дети|детеи|дітеи',
    ),
    { from: 0, to: kidsTo },
  ],
  [toPattern('teens?|teenagers?|youths?|jugendliche|adolescents?|ungdom'), { from: 13, to: 19 }],
  [
    toPattern(
      'adults?|grown-?ups?|erwachsene|adultes?|adultos?|adulti|volwassenen|vuxna|voksne|aikuiset',
      'dorosli|dospeli|взрослые|взрослых|дорослі',
    ),
    { from: 18, to: ageMax },
  ],
];

function toPattern(...words: readonly string[]): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`, 'u');
}

/** `8+ (under 12 with an adult)`. */
const companions =
  /[(,;.][^(),;.]*\d[^(),;.]*(?:with (?:an? )?(?:adult|parent|carer|guardian|grown-?up)|accompan|supervis|begleitung)[^(),;.]*/g;
/** Numbers of classes and of people, and years of birth. */
const otherNumbers =
  /(?<!\d\s*)\b(?:grades?|k|years?|klassen?|class(?:es)?)[\s-]*[\dk](?:\d|[\s-]|to|and|bis|&)*|\d+(?:st|nd|rd|th)?(?:\s*(?:-|to|and|&|bis)\s*\d+)?(?:st|nd|rd|th|\.)?\s*(?:grade|klasse|people|persons|participants|places|spots|personen|teilnehme)\p{L}*|(?<!\d)(?:19|20)\d\d(?!\d)/gu;
const months =
  /(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*(?:months?|mos?|monate?n?|mois|meses|mesi|maanden)\b/g;

/** Up to an age, which is included, before or after it. */
const upToAge =
  /(?:\b(?:up to|until|max\.?|maximum|bis|hasta|ate|fino a|jusqu'a|tot)|≤)\s*(\d{1,3})|(\d{1,3})\s*(?:(?:years?\s*)?(?:and|&|or)\s*(?:under|below|younger)|歳以下|세 이하|岁以下)/;
const underAge =
  /(?:\bu-?|\b(?:under|below|younger than|unter|onder|menos de|moins de)[\s-]*|<\s*)(\d{1,3})|(\d{1,3})\s*(?:歳未満|세 미만)/;

/** The ages that an event is for: `13–18`, `16+`, `from 16`, `under 12`, `up to 10`, `kids`; null if none are named. */
export function parseAges(audience: string | null): Ages | null {
  const text = foldText(audience ?? '')
    .replace(/[–—−]/g, '-')
    .replace(companions, '')
    .replace(months, (_, first, last) => [first, last ?? []].flat().map(toYears).join('-'))
    .replace(otherNumbers, ' ');
  const [, first, last] =
    /(\d{1,3})\s*(?:(?:years?|yrs?|yo|jahren?|ans|anos|anni|jaar|let|lat|лет|ar)(?: old)?\s*)?(?:-|to|and|bis|a|until|till|til|до|do)\s*(\d{1,3})/.exec(
      text,
    ) ?? [];
  if (first !== undefined && last !== undefined) return toAges(Number(first), Number(last));
  const upTo = findAge(text, upToAge);
  if (upTo !== null) return toAges(0, upTo);
  const under = findAge(text, underAge);
  if (under !== null) return toAges(0, under - 1);
  const [, from] = /(\d{1,3})/.exec(text) ?? [];
  if (from !== undefined) return toAges(Number(from), ageMax);
  return wordedAges.find(([words]) => words.test(text))?.[1] ?? null;
}

function toYears(months: string): string {
  return String(Math.floor(Number(months) / 12));
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
