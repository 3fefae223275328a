import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { sendNodeResponse } from 'srvx/node';
import { discardBody } from '#lib/http/read-body.ts';
import { getOwnParts, listHeaders, setHeaders, withoutBody } from '#lib/http/response.ts';
import { toRequestId } from '#lib/http/route.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import { observeStream } from './observe-request.ts';

/** Writes a response to the socket. */
export async function sendResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  if (!(await discardBody(outgoing.req))) setHeaders(response, [['Connection', 'close']]);
  const own = getOwnParts(response);
  if (own === undefined) return sendNodeResponse(outgoing, response);
  outgoing.writeHead(response.status, listHeaders(response));
  if (own.body instanceof Readable) sendStream(outgoing, own.body);
  else outgoing.end(own.body);
}

/** Writes a stream as fast as the client reads it; whichever ends early ends the other. */
function sendStream(outgoing: ServerResponse, stream: Readable): void {
  // The client sees that its request was accepted, however long the first event takes; most come at once.
  const flushing = setImmediate(() => outgoing.flushHeaders());
  stream.once('data', () => clearImmediate(flushing));
  observeStream(outgoing);
  if (outgoing.destroyed) stream.destroy();
  else outgoing.once('close', () => stream.destroy());
  // Its cause has been logged where the stream was created.
  stream.on('error', () => outgoing.destroy());
  stream.pipe(outgoing);
}

/** Adds the headers that route handlers add themselves, and drops the body for HEAD. */
export function finishResponse(incoming: IncomingMessage, response: Response): Response {
  const requestId = toRequestId(incoming.headers['x-request-id']);
  setHeaders(response, [...commonSecurityHeaders, ['X-Request-Id', requestId]]);
  return incoming.method === 'HEAD' ? withoutBody(response) : response;
}
