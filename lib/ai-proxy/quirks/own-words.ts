import { parseJson } from '#lib/http/json-value.ts';

/** What a server may say before a text that it is known by: plain words, without any quotation. */
const ownWords = /^(?:[\w.,:;/ -]|\w['’](?=\w)){0,100}$/;

/** So much of what was found must not stand in the request. */
export const echoLength = 24;

/**
 * Finds the first of the texts by which something is repaired. It must be the server’s own: it begins the message, or comes after plain words,
 * since a message may quote the prompt; and it does not stand in what was sent.
 */
export function findOwnText(
  texts: readonly RegExp[],
  message: string,
  sent: string,
): Readonly<Record<string, string | undefined>> | null {
  for (const text of texts) {
    const found = text.exec(message);
    if (found === null || !ownWords.test(message.slice(0, found.index))) continue;
    if (!isEcho(found[0], sent)) return found.groups ?? {};
  }
  return null;
}

/** Between the letters of a text: white space and marks, also as escapes of JSON. */
const betweenLetters = String.raw`(?:\\[bfnrt]?|[^a-z0-9\\]){0,20}`;
/** Letters that are compatible with those of ASCII: wide, within circles, of mathematics. */
const compatibleLetters = /[\u017f\u2070-\u214f\u2460-\u24ff\uff00-\uff5e]|\ud835/;

/**
 * Whether the end of what was found stands in the request, so that the upstream may only quote it: in any case, as JSON
 * escapes it, in compatible letters, and whatever stands between the letters and digits.
 */
function isEcho(found: string, sent: string): boolean {
  const letters = found
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  const end = [...letters.slice(-echoLength)].map(toEscapable).join(betweenLetters);
  const decoded = sent.includes('\\u') ? JSON.stringify(parseJson(sent) ?? sent) : sent;
  // Normalizing takes long, and most requests have no such letters.
  const text = compatibleLetters.test(decoded) ? decoded.normalize('NFKC') : decoded;
  return new RegExp(end, 'i').test(text);
}

/** A letter, or its escape in JSON within a text. */
function toEscapable(letter: string): string {
  const codes = [letter, letter.toUpperCase()].map((form) => form.charCodeAt(0).toString(16));
  return `(?:${letter}|\\\\u00(?:${codes.join('|')}))`;
}
