import type { ServerResponse } from 'node:http';

/** A response before it is sent. */
export type AirtableReply = {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
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

/** A 429 in the newer of Airtable’s two formats. */
export function toRateLimitReply(note = ''): AirtableReply {
  const message = `You have exceeded the number of requests allowed per second.${note}`;
  return toJsonReply(429, { errors: [{ error: 'RATE_LIMIT_REACHED', message }] });
}

export function sendReply(response: ServerResponse, reply: AirtableReply): void {
  response.writeHead(reply.status, {
    'content-length': Buffer.byteLength(reply.body),
    ...reply.headers,
  });
  response.end(reply.body);
}
