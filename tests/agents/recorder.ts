import { once } from 'node:events';
import { createServer, request as startRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';

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
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    recorded,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
