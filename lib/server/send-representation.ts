import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Freshness, partsOf } from '#lib/http/prepared-response.ts';
import { type Representation, respondWith } from '#lib/http/representation.ts';
import { toRequestId } from '#lib/http/request-id.ts';
import type { AnswerCache } from './answer-cache.ts';
import { createLaneRequest } from './lane-request.ts';

type Sent = Readonly<{
  representation: Representation;
  freshness: Freshness;
  /** Further headers, names and values in turn. */
  headers?: readonly string[];
}>;

/** Answers a request that no route serves with a representation, and keeps the answer for others. */
export async function sendRepresentation(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answers: AnswerCache,
  { representation, freshness, headers = [] }: Sent,
): Promise<void> {
  const request = createLaneRequest(incoming, outgoing, 'http://localhost');
  const parts = partsOf(await respondWith(request, representation, freshness));
  if (parts === undefined || typeof parts.body === 'function') {
    throw new TypeError('A representation gives a prepared response that is whole.');
  }
  parts.headers.push(...headers, 'X-Request-Id', toRequestId(incoming.headers['x-request-id']));
  outgoing.writeHead(parts.status, parts.headers);
  outgoing.end(parts.body);
  answers.keep(incoming, parts);
}
