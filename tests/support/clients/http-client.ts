import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { patienceMs } from '../patience.ts';

/** A response whose body is not decoded. */
export type HttpResponse = Readonly<{
  status: number;
  headers: IncomingHttpHeaders;
  /** A header's value; empty if absent. */
  header: (name: string) => string;
  body: Buffer;
  text: string;
}>;

export type RequestOptions = Readonly<{
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}>;

/** Sends a request without normalizing its URL. */
export async function send(
  { port }: Readonly<{ port: number }>,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<HttpResponse> {
  const signal = AbortSignal.timeout(patienceMs);
  const outgoing = request({ host: '127.0.0.1', port, path, method, headers, signal }).end(body);
  const [incoming] = await once(outgoing, 'response', { signal });
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return toHttpResponse(incoming.statusCode, incoming.headers, Buffer.concat(chunks));
}

/** Requests a page as HTML. */
export function getPage(server: Readonly<{ port: number }>, path: string): Promise<HttpResponse> {
  return send(server, path, { headers: { accept: 'text/html' } });
}

/** Writes text to a socket, and reads until the server closes the connection. */
export async function sendRaw(
  { port }: Readonly<{ port: number }>,
  text: string,
): Promise<HttpResponse> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('No response.')));
  socket.write(text, 'latin1');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return toHttpResponse(Number(statusLine.split(' ')[1]), headers, bytes.subarray(end + 4));
}

/**
 * The max-age of a response with events, in seconds: 0 within the last second before midnight or before they
 * are too old.
 * @throws Error for any other Cache-Control.
 */
export function readFreshSeconds({ header }: HttpResponse): number {
  const cacheControl = header('cache-control');
  if (cacheControl === 'no-cache') return 0;
  const seconds = Number(/^public, max-age=([1-9]\d{0,2})$/.exec(cacheControl)?.[1]);
  if (seconds <= 300) return seconds;
  throw new Error(`Unexpected Cache-Control: “${cacheControl}”`);
}

const decoders = {
  gzip: promisify(zlib.gunzip),
  br: promisify(zlib.brotliDecompress),
} as const;

/** Decompresses the body. */
export async function decodeBody({ body, header }: HttpResponse): Promise<Buffer> {
  const encoding = header('content-encoding');
  if (encoding === '') return body;
  if (encoding === 'gzip' || encoding === 'br') return decoders[encoding](body);
  throw new Error(`Unknown Content-Encoding ${encoding}`);
}

export function toHttpResponse(
  status: number,
  headers: IncomingHttpHeaders,
  body: Buffer,
): HttpResponse {
  const header = (name: string) => String(headers[name] ?? '');
  return { status, headers, header, body, text: body.toString() };
}
