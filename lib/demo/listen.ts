import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type LocalServer = Readonly<{
  /** Without a trailing slash. */
  url: string;
  /** Closes the server and all its connections. */
  close: () => Promise<void>;
}>;

/** Lets a server listen on loopback, by default on any free port. */
export async function listen(server: Server, port = 0): Promise<LocalServer> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
