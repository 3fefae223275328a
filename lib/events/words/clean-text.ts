// XML 1.0 §2.2: everything that is not a Char, and the C1 controls, which it discourages.
const forbidden = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/g;

// Some readers treat U+0085 as the end of a line.
const lineEnds = /\r\n?|[\x85\u2028\u2029]/g;

/** What hardly any text has. */
const replaced = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]/;

/**
 * Text that is valid in every representation: without characters that XML 1.0 forbids, with U+FFFD for lone
 * surrogates and line feeds for all kinds of line ends.
 */
export function toXmlText(text: string): string {
  if (!replaced.test(text)) return text;
  return text.toWellFormed().replace(lineEnds, '\n').replace(forbidden, '');
}

/** The same on a single line: each run of white space becomes one space. */
export function toOneLine(text: string): string {
  return toXmlText(text).replace(/\s+/g, ' ').trim();
}

/**
 * Shortens text to a number of UTF-16 code units including the ellipsis, between words if there is a gap in
 * the last third.
 */
export function shortenText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const head = text.slice(0, lengthMax - 1);
  const gap = head.search(/\s\S*$/);
  const cut = gap > (lengthMax * 2) / 3 ? head.slice(0, gap) : head;
  // The cut may have split a surrogate pair.
  return `${cut.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}

/** What a link is called where nothing else is known: its host, mail address or phone number. */
export function toLinkName(url: string): string {
  const { host, pathname } = new URL(url);
  return host === '' ? pathname : host.replace(/^www\./, '');
}
