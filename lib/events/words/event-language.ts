/** Attributes for an element that shows an event's texts. */
export type TextAttributes = Readonly<{ lang?: string; dir: 'ltr' | 'rtl' }>;

type Texts = Readonly<{ name: string; description?: string | null | undefined }>;

/** Scripts and the language (BCP 47) that they stand for; `und-…` where several languages share one. */
const scripts = [
  { language: null, letters: /\p{Script=Latin}/gu },
  {
    language: 'east-asian',
    letters: /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hira}\p{Script=Kana}]/gu,
  },
  { language: 'arabic', letters: /\p{Script=Arabic}/gu },
  { language: 'he', letters: /\p{Script=Hebrew}/gu },
  { language: 'th', letters: /\p{Script=Thai}/gu },
  { language: 'el', letters: /\p{Script=Greek}/gu },
  { language: 'und-Cyrl', letters: /\p{Script=Cyrillic}/gu },
  { language: 'und-Deva', letters: /\p{Script=Devanagari}/gu },
] as const;

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'ur', 'he']);

/** An ideograph says about as much as three letters. */
const ideographWeight = 3;
const descriptionLengthMax = 500;

/**
 * The language and direction of an event's texts, judged by the script of its name, so that browsers break and
 * read them as that language does. Latin letters say nothing about the language, so they get none.
 */
export function toTextAttributes(texts: Texts): TextAttributes {
  const lang = toLanguage(texts);
  if (lang === null) return { dir: 'ltr' };
  return { lang, dir: rightToLeft.has(lang) ? 'rtl' : 'ltr' };
}

function toLanguage({ name, description }: Texts): string | null {
  const script = toMainScript(name);
  // Kanji or Persian letters may be missing in a short name.
  const text = `${name} ${(description ?? '').slice(0, descriptionLengthMax)}`;
  if (script === null) return toLatinLanguage(text);
  if (script === 'east-asian') return toEastAsianLanguage(text);
  return script === 'arabic' ? toArabicLanguage(text) : script;
}

function toMainScript(name: string) {
  const counts = scripts.map(({ language, letters }) => {
    const count = name.match(letters)?.length ?? 0;
    return { language, weight: language === 'east-asian' ? count * ideographWeight : count };
  });
  return counts.reduce((most, next) => (next.weight > most.weight ? next : most)).language;
}

/** Frequent words that the others do not have. */
const latinWords = {
  en: new Set('the and of to with is for you your we at from this'.split(' ')),
  es: new Set('el los las del y lo para hay se su más es nuestro'.split(' ')),
  fr: new Set('le les des du et avec pour dans est sur nous vous aux'.split(' ')),
};
const latinWordsMin = 3;

// English is the language of the page, so its texts need no attribute. A translation may follow the first line.
function toLatinLanguage(text: string): string | null {
  const [firstLine = ''] = text.split('\n');
  const words = firstLine.toLowerCase().match(/\p{L}+/gu) ?? [];
  const count = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length;
  const [en, es, fr] = [count(latinWords.en), count(latinWords.es), count(latinWords.fr)];
  if (Math.max(es, fr) < latinWordsMin || Math.max(es, fr) <= en) return null;
  return es > fr ? 'es' : 'fr';
}

function toEastAsianLanguage(text: string): string {
  if (/[\p{Script=Hira}\p{Script=Kana}]/u.test(text)) return 'ja';
  return /\p{Script=Hangul}/u.test(text) ? 'ko' : 'zh';
}

// By letters that Arabic does not have.
function toArabicLanguage(text: string): string {
  if (/[ٹڈڑںے]/.test(text)) return 'ur';
  return /[پچژگ]/.test(text) ? 'fa' : 'ar';
}
