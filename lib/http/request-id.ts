import { randomUUID } from 'node:crypto';

const acceptable = /^[\w.-]{8,64}$/;

/** The id that a caller or a proxy in front gave the request, where it is a plain one, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given !== null && acceptable.test(given) ? given : randomUUID();
}
