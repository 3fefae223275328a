import type { ServerRequest } from 'srvx';

/**
 * The Host header that the client sent. The request handler replaces it, so that no response depends on it;
 * it stays among the raw headers.
 */
export function readClientHost(request: Request): string | null {
  const incoming = (request as ServerRequest).runtime?.node?.req;
  if (incoming === undefined) return request.headers.get('host');
  const { rawHeaders } = incoming;
  const position = rawHeaders.findIndex(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'host',
  );
  return position === -1 ? null : (rawHeaders[position + 1] ?? null);
}
