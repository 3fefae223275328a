import type { IncomingMessage, ServerResponse } from 'node:http';
import { partsOf } from '#lib/http/prepared-response.ts';
import { toRequestId } from '#lib/http/request-id.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';

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

/** Sends a prepared answer that no route made: whole, and for this caller alone. */
export function sendParts(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
): void {
  const parts = partsOf(response);
  if (parts === undefined || typeof parts.body === 'function') {
    throw new TypeError('Only a prepared answer that is whole can be sent.');
  }
  const own = ['X-Request-Id', toRequestId(incoming.headers['x-request-id'])];
  outgoing.writeHead(parts.status, [...parts.headers, ...own, ...commonSecurityHeaders]);
  outgoing.end(incoming.method === 'HEAD' ? undefined : (parts.body ?? undefined));
}
