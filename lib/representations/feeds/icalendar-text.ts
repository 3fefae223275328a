import { toXmlText } from '#lib/events/words/clean-text.ts';

const lineOctetsMax = 75;

/** A value of type TEXT (RFC 5545 §3.3.11): backslashes, semicolons, commas and newlines are escaped. */
export function toCalendarText(text: string): string {
  return toXmlText(text)
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\n/g, '\\n');
}

/**
 * A content line with its CRLF, folded at 75 octets (RFC 5545 §3.1). Characters are never split, although
 * the RFC allows it, because many parsers decode UTF-8 before unfolding.
 */
export function toContentLine(name: string, value: string): string {
  const line = `${name}:${value}`;
  // A UTF-16 code unit has at most three octets in UTF-8.
  if (line.length * 3 <= lineOctetsMax) return `${line}\r\n`;
  let folded = '';
  let start = 0;
  let octets = 0;
  for (let index = 0; index < line.length; index++) {
    const codePoint = line.codePointAt(index) ?? 0;
    const size = octetsOf(codePoint);
    if (octets + size > lineOctetsMax) {
      folded += `${line.slice(start, index)}\r\n `;
      start = index;
      octets = 1;
    }
    octets += size;
    if (codePoint > 0xffff) index++;
  }
  return `${folded}${line.slice(start)}\r\n`;
}

function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
