import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { partsOf, type StreamedBody } from '#lib/http/prepared-response.ts';
import type { AnswerCache } from './answer-cache.ts';
import { createLaneRequest } from './lane-request.ts';
import type { LaneMatch } from './lane-routes.ts';

/** Answers one request by a route of the lane, without Next. */
export type Lane = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  match: LaneMatch,
) => Promise<void>;

/** What addresses inside the app begin with; no answer depends on it. */
const origin = 'http://localhost';

/**
 * Runs the route modules of `app/` on node:http. Prepared responses are written as they are; one of
 * another kind goes through the web adapter.
 */
export function createLane(cache: AnswerCache): Lane {
  return async (incoming, outgoing, match) => {
    const request = createLaneRequest(incoming, outgoing, origin);
    const response = await answer(request, match);
    const parts = partsOf(response);
    if (parts === undefined) return adapt(() => response)(incoming, outgoing);
    outgoing.writeHead(parts.status, parts.headers);
    if (typeof parts.body === 'function') return writeStream(parts.body, outgoing);
    if (typeof parts.body === 'string') outgoing.end(parts.body, toEncoding(parts.body));
    else outgoing.end(parts.body);
    cache.keep(incoming, parts);
  };
}

// As long in bytes as in characters: ASCII alone, which need not be encoded.
function toEncoding(text: string): BufferEncoding {
  return Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8';
}

// The socket is the sink: nothing between what is made and what is sent.
function writeStream(body: StreamedBody, outgoing: ServerResponse): void {
  body({
    write: (chunk) => outgoing.write(chunk),
    end: () => outgoing.end(),
    cut: () => outgoing.destroy(),
    onDrain: (callback) => outgoing.on('drain', callback),
    onClose: (callback) => outgoing.once('close', callback),
  });
  // With what was written at once, where there was something.
  outgoing.flushHeaders();
}

function adapt(handle: (request: Request) => Response | Promise<Response>) {
  return getRequestListener(handle, { overrideGlobalObjects: false });
}

function answer(request: Request, { module, params }: LaneMatch): Response | Promise<Response> {
  // No address takes PATCH: its handler refuses whatever else is not taken, in the address's own form.
  const route = module[request.method] ?? module.PATCH;
  if (route === undefined) throw new TypeError('A route of the lane refuses PATCH.');
  return route(request, { params: Promise.resolve(params) as Promise<never> });
}
