const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
};

/** Folds text for searching, without case, accents and compatibility forms (NFKD). */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\x00-\x7f]*$/.test(lower)) return lower;
  return (
    lower
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      // NFKD turns styled letters into plain ones, capitals among them.
      .toLowerCase()
      .replace(/[ßæœøđðþłħı]/g, (letter) => letters[letter] ?? letter)
  );
}
