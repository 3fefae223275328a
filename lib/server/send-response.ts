import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { sendNodeResponse } from 'srvx/node';
import { discardBody } from '#lib/http/read-body.ts';
import { toRequestId } from '#lib/http/request-id.ts';
import { getStream, setHeaders, withoutBody } from '#lib/http/response.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import { observeStream } from './observe-request.ts';

/** Writes a response to the socket. */
export async function sendResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  if (!(await discardBody(outgoing.req))) setHeaders(response, [['Connection', 'close']]);
  const stream = getStream(response);
  if (stream === undefined) await sendNodeResponse(outgoing, response);
  else sendStream(outgoing, response, stream);
}

// Not by srvx: its pipeline ends with an AbortError, whose stack trace costs as much as ten events.
function sendStream(outgoing: ServerResponse, { status, headers }: Response, body: Readable): void {
  observeStream(outgoing);
  outgoing.on('close', () => body.destroy()).on('error', () => body.destroy());
  body
    .on('error', () => {})
    .on('close', () => {
      if (!body.readableEnded) outgoing.destroy();
    });
  if (outgoing.destroyed) body.destroy();
  outgoing.writeHead(status, [...headers].flat());
  body.pipe(outgoing);
}

/** Adds the headers that route handlers add themselves, and drops the body for HEAD. */
export function finishResponse(incoming: IncomingMessage, response: Response): Response {
  const requestId = toRequestId(incoming.headers['x-request-id']);
  setHeaders(response, [...commonSecurityHeaders, ['X-Request-Id', requestId]]);
  return incoming.method === 'HEAD' ? withoutBody(response) : response;
}
