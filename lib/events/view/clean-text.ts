// XML 1.0 §2.2: everything that is not a Char. The C1 controls are allowed there, but discouraged, and
// some readers take U+0085 for the end of a line.
const forbidden = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/g;

/**
 * Text that every format may carry: without the characters that XML 1.0 forbids, half surrogate pairs
 * replaced by U+FFFD, and every kind of line end written as a line feed.
 */
export function toXmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\x85\u2028\u2029]/g, '\n')
    .replace(forbidden, '');
}

/** The same in a single line, for names and titles: runs of white space become one space. */
export function toOneLine(text: string): string {
  return toXmlText(text).replace(/\s+/g, ' ').trim();
}

/**
 * Cuts text to a number of characters (UTF-16 code units, its ellipsis counted), between words where
 * there is a gap in the last third.
 */
export function shortenText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const room = text.slice(0, lengthMax - 1);
  const gap = room.search(/\s\S*$/);
  const cut = gap > (lengthMax * 2) / 3 ? room.slice(0, gap) : room;
  // A cut through a surrogate pair leaves half of it behind.
  return `${cut.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}
