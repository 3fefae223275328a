import { request as sendOverHttp } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import type { ListedRequest } from './list-requests.ts';

export type ReceivedResponse = Readonly<{
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}>;

/** Sends a request over node:http: `fetch` would add headers and decode the body. */
export async function sendRequest(
  server: Readonly<{ url: string; key: string }>,
  request: ListedRequest,
): Promise<ReceivedResponse> {
  const first = await send(server, request, {});
  if (!request.isConditional) return first;
  const { etag = '' } = first.headers;
  return send(server, request, { 'If-None-Match': etag });
}

function send(
  { url, key }: Readonly<{ url: string; key: string }>,
  { method, path, headers, body, hasKey }: ListedRequest,
  validators: Readonly<Record<string, string>>,
): Promise<ReceivedResponse> {
  const text = body === null ? '' : JSON.stringify(body);
  const options = {
    method,
    // A path such as /%zz must arrive as it is.
    path,
    headers: {
      ...headers,
      ...validators,
      ...(hasKey && { Authorization: `Bearer ${key}` }),
      ...(text && {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
      }),
    },
  };
  return new Promise((resolve, reject) => {
    const outgoing = sendOverHttp(url, options, (response) => {
      const status = response.statusCode ?? 0;
      const entries = Object.entries(response.headers);
      const received = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
      buffer(response).then((bytes) => {
        const isBrotli = received['content-encoding'] === 'br' && bytes.length > 0;
        const body = isBrotli ? brotliDecompressSync(bytes) : bytes;
        resolve({ status, headers: received, body });
      }, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}
