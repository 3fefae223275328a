import { once } from 'node:events';
import { createServer, request as startRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../support/servers/loopback-server.ts';

/** A request as an agent sent it. */
export type RecordedRequest = Readonly<{
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: unknown;
  status: number;
}>;

/** Passes requests on to a server, and keeps them. */
export async function startRecorder(serverUrl: string) {
  const recorded: RecordedRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const bytes = await buffer(incoming);
    const { method = 'GET', url: path = '/', headers } = incoming;
    const forwarded = startRequest(serverUrl + path, { method, headers });
    forwarded.end(bytes);
    const [response] = await once(forwarded, 'response');
    recorded.push({
      method,
      path,
      status: response.statusCode,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, String(value)]),
      ),
      body: bytes.length === 0 ? null : JSON.parse(bytes.toString()),
    });
    outgoing.writeHead(response.statusCode, response.headers);
    response.pipe(outgoing);
  });
  return { ...(await listenOnLoopback(server)), recorded };
}
