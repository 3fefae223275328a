import { once } from 'node:events';
import { createServer, type RequestListener, request } from 'node:http';

/** A site at `url`, in which some addresses are answered by the test itself. */
export type ProxiedSite = Readonly<{ url: string; stop: () => Promise<void> }>;

type ProxiedSiteOptions = Readonly<{
  /** The port of the server behind it. */
  port: number;
  /** What the test answers itself; returns false for what it leaves to the server. */
  answer: (...given: Parameters<RequestListener>) => boolean;
}>;

/** Puts a test between a browser and a server, on one origin. */
export async function startProxiedSite({ port, answer }: ProxiedSiteOptions): Promise<ProxiedSite> {
  const server = createServer((incoming, outgoing) => {
    if (answer(incoming, outgoing)) return;
    const { method, url: path, headers } = incoming;
    const behind = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    behind.on('error', () => outgoing.destroy());
    incoming.pipe(behind);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${own}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
