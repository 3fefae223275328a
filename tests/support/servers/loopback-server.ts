import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** A server that listens on a free port of loopback, until it is closed or the scope ends. */
export type Listening = AsyncDisposable &
  Readonly<{ port: number; url: string; close: () => Promise<void> }>;

/** @param wantedPort by default any free one. */
export async function listenOnLoopback(
  server: Server | HttpServer,
  wantedPort = 0,
): Promise<Listening> {
  await once(server.listen(wantedPort, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    if (!server.listening) return;
    server.close();
    // Another server waits for its clients.
    if (!('closeAllConnections' in server)) return;
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { port, url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}
