import type { ServerResponse } from 'node:http';

/** What the stand-in answers, before it is written to the wire. */
export type AirtableReply = {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly statusMessage?: string;
};

/** A JSON answer. */
export function toJsonReply(status: number, value: unknown): AirtableReply {
  return {
    status,
    body: JSON.stringify(value),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  };
}

/** An error in the form that Airtable uses most. */
export function toErrorReply(status: number, type: string, message?: string): AirtableReply {
  return toJsonReply(status, { error: message === undefined ? { type } : { type, message } });
}

/** The answer for an address that does not exist: the one error whose `error` is a text. */
export const notFoundReply: AirtableReply = toJsonReply(404, { error: 'NOT_FOUND' });

/** Both forms in which a caller may be told to slow down; the live service uses either. */
export function toRateLimitReply(envelope: 'error' | 'errors', note = ''): AirtableReply {
  const message = `You have exceeded the number of requests allowed per second.${note}`;
  return envelope === 'error'
    ? toErrorReply(429, 'RATE_LIMIT_REACHED', message)
    : toJsonReply(429, { errors: [{ error: 'RATE_LIMIT_REACHED', message }] });
}

/** Writes a reply; for HEAD the headers alone. */
export function sendReply(response: ServerResponse, reply: AirtableReply): void {
  if (reply.statusMessage !== undefined) response.statusMessage = reply.statusMessage;
  response.writeHead(reply.status, {
    'content-length': Buffer.byteLength(reply.body),
    ...reply.headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : reply.body);
}
