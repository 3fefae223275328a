import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendNodeResponse } from 'srvx/node';
import { discardBody } from '#lib/http/read-body.ts';
import { setHeaders, withoutBody } from '#lib/http/response.ts';
import { toRequestId } from '#lib/http/route.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import { observeStream } from './observe-request.ts';

/** Writes a response to the socket. */
export async function sendResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  if (!(await discardBody(outgoing.req))) setHeaders(response, [['Connection', 'close']]);
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    // The client sees that its request was accepted, however long the first event takes.
    outgoing.writeHead(response.status, [...response.headers].flat());
    outgoing.flushHeaders();
    observeStream(outgoing);
  }
  await sendNodeResponse(outgoing, response);
}

/** Adds the headers that route handlers add themselves, and drops the body for HEAD. */
export function finishResponse(incoming: IncomingMessage, response: Response): Response {
  const requestId = toRequestId(incoming.headers['x-request-id']);
  setHeaders(response, [...commonSecurityHeaders, ['X-Request-Id', requestId]]);
  return incoming.method === 'HEAD' ? withoutBody(response) : response;
}
