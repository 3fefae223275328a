import { once } from 'node:events';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { type HttpResponse, toHttpResponse } from './http-client.ts';

export type Http2Request = Readonly<{
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer;
}>;

/** Connects by TLS and HTTP/2, trusting one certificate. */
export async function connectHttp2(url: string, certificate: string): Promise<ClientHttp2Session> {
  const session = connect(url, { ca: certificate });
  await once(session, 'connect');
  return session;
}

/** Sends a request and reads the whole response, without decoding it. */
export async function sendHttp2(
  session: ClientHttp2Session,
  path: string,
  { method = 'GET', headers = {}, body }: Http2Request = {},
): Promise<HttpResponse> {
  const stream = session.request({ ':method': method, ':path': path, ...headers });
  stream.end(body);
  const [received] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  return toHttpResponse(Number(received[':status']), received, await buffer(stream));
}
