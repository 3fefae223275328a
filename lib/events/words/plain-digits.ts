/** Digits of all scripts as those of ASCII: `٢٠٢٧` is `2027`. */
export function toPlainDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => String(toValue(digit.codePointAt(0) ?? 0)));
}

// Unicode has the digits of a script in a row, zero first.
function toValue(code: number): number {
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value % 10;
}
