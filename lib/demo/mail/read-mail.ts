/** A mail as its reader sees it. */
export type ReadMail = Readonly<{
  /** By their names in lower case. */
  headers: ReadonlyMap<string, string>;
  subject: string;
  text: string;
  html: string;
}>;

/** A mail that the demo's server got. */
export type ReceivedMail = ReadMail & Readonly<{ to: string; receivedAt: Date }>;

/** Reads a mail of Marquee: text and HTML as quoted-printable. */
export function readMail(raw: string): ReadMail {
  const { headers, body } = split(raw);
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '') ?? [];
  const parts = body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, '')));
  const find = (type: string) => {
    const part = parts.find((part) => part.headers.get('content-type')?.startsWith(type));
    return decodeQuoted(part?.body ?? '')
      .toString()
      .replaceAll('\r\n', '\n');
  };
  return {
    headers,
    subject: decodeWords(headers.get('subject') ?? ''),
    text: find('text/plain'),
    html: find('text/html'),
  };
}

function split(text: string): Readonly<{ headers: Map<string, string>; body: string }> {
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: text.slice(end + 4) };
}

/** RFC 2045 §6.7. */
function decodeQuoted(text: string): Buffer {
  const joined = text.replace(/=\r\n/g, '');
  return Buffer.from(
    joined.replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
}

/** RFC 2047: `=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=`. */
function decodeWords(text: string): string {
  return text
    .replace(/\?= (?==\?)/g, '?=')
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_, word) =>
      decodeQuoted(word.replaceAll('_', ' ')).toString(),
    )
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, word) => Buffer.from(word, 'base64').toString());
}
