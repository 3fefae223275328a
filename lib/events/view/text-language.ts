/** Attributes of an element with a text whose language is not the page's. */
export type TextLanguage = Readonly<{ lang?: string; dir?: 'rtl' }>;

// In this order: Japanese has Han too, and Persian and Urdu are written in Arabic letters and some of their own.
const scripts: readonly Readonly<{ letters: RegExp; language: TextLanguage }>[] = [
  { letters: /[\p{sc=Hiragana}\p{sc=Katakana}]/u, language: { lang: 'ja' } },
  { letters: /\p{sc=Hangul}/u, language: { lang: 'ko' } },
  { letters: /\p{sc=Han}/u, language: { lang: 'zh' } },
  { letters: /\p{sc=Hebrew}/u, language: { lang: 'he', dir: 'rtl' } },
  { letters: /[ٹڈڑںے]/u, language: { lang: 'ur', dir: 'rtl' } },
  { letters: /[پچژگ]/u, language: { lang: 'fa', dir: 'rtl' } },
  { letters: /\p{sc=Arabic}/u, language: { lang: 'ar', dir: 'rtl' } },
  { letters: /\p{sc=Thai}/u, language: { lang: 'th' } },
  { letters: /\p{sc=Devanagari}/u, language: { lang: 'hi' } },
  { letters: /\p{sc=Greek}/u, language: { lang: 'el' } },
];

/**
 * The language and direction of an event's title, as far as its script tells: browsers break lines, choose
 * glyphs and read aloud by them. Empty for scripts of many languages, such as Latin and Cyrillic.
 */
export function toTextLanguage(text: string): TextLanguage {
  const script = scripts.find(({ letters }) => letters.test(text));
  if (script === undefined) return {};
  // A foreign word in a Latin title does not turn it around (Unicode Bidirectional Algorithm, P2).
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  return /\p{sc=Latin}/u.test(first) ? {} : script.language;
}
