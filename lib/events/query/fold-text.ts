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

/** Folds text for searching: case, accents and compatibility forms make no difference. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\x00-\x7f]*$/.test(lower)) return lower;
  return (
    lower
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      // Styled letters come out of NFKD as plain ones, capitals among them.
      .toLowerCase()
      .replace(/[ßæœøđðþłħı]/g, (letter) => letters[letter] ?? letter)
  );
}
