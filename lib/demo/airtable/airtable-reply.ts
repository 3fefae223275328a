import type { ServerResponse } from 'node:http';

/** A response before it is sent. */
export type AirtableReply = {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly statusMessage?: string;
};

/** A JSON response. */
export function toJsonReply(status: number, value: unknown): AirtableReply {
  return {
    status,
    body: JSON.stringify(value),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  };
}

/** An error in Airtable's usual format. */
export function toErrorReply(status: number, type: string, message?: string): AirtableReply {
  return toJsonReply(status, { error: message === undefined ? { type } : { type, message } });
}

/** The 404 for unknown paths: the only error whose `error` is a text. */
export const notFoundReply: AirtableReply = toJsonReply(404, { error: 'NOT_FOUND' });

/** Both formats of a 429 that Airtable uses. */
export function toRateLimitReply(envelope: 'error' | 'errors', note = ''): AirtableReply {
  const message = `You have exceeded the number of requests allowed per second.${note}`;
  return envelope === 'error'
    ? toErrorReply(429, 'RATE_LIMIT_REACHED', message)
    : toJsonReply(429, { errors: [{ error: 'RATE_LIMIT_REACHED', message }] });
}

/** Sends a reply; for HEAD only the headers. */
export function sendReply(response: ServerResponse, reply: AirtableReply): void {
  if (reply.statusMessage !== undefined) response.statusMessage = reply.statusMessage;
  response.writeHead(reply.status, {
    'content-length': Buffer.byteLength(reply.body),
    ...reply.headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : reply.body);
}
