import { Readable } from 'node:stream';

/** A request that came from an address, as the server of Node's hands it on. */
export function requestFrom(address: string, signal?: AbortSignal): Request {
  const request = new Request('http://localhost/', signal === undefined ? {} : { signal });
  const incoming = Object.assign(new Readable(), {
    headers: {},
    socket: { remoteAddress: address },
  });
  return Object.assign(request, { runtime: { name: 'node', node: { req: incoming } } });
}
