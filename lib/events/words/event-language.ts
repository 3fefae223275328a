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

function toEastAsianLanguage(text: string): string {
  if (/[\p{Script=Hira}\p{Script=Kana}]/u.test(text)) return 'ja';
  return /\p{Script=Hangul}/u.test(text) ? 'ko' : 'zh';
}

// By letters that Arabic does not have.
function toArabicLanguage(text: string): string {
  if (/[ٹڈڑںے]/.test(text)) return 'ur';
  return /[پچژگ]/.test(text) ? 'fa' : 'ar';
}
