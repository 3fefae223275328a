import type { ServerResponse } from 'node:http';

/** A short answer of the front's own, in plain text. */
export function respondPlainly(
  outgoing: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = text === '' ? '' : `${text}\n`;
  outgoing.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  outgoing.end(body);
}
