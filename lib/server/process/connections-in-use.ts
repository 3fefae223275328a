import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection is idle before it may be closed: longer than a proxy in front would use it again. */
const idleMs = 500;

/**
 * Makes closing the server lose nothing. Node counts a connection as idle once its response has been handed to the
 * socket, and would cut what a slow client has not received yet. And it would close a connection on which a proxy is
 * about to send its next request. With this, idle connections are closed only while nothing is unsent, and none was
 * used a moment ago.
 */
export function keepConnectionsInUse(server: Server): void {
  const lastUsedAt = new Map<Socket, number>();
  const note = (socket: Socket) => {
    if (lastUsedAt.has(socket)) lastUsedAt.set(socket, performance.now());
  };
  server.on('connection', (socket: Socket) => {
    lastUsedAt.set(socket, performance.now());
    socket.once('close', () => lastUsedAt.delete(socket));
  });
  server.prependListener('request', ({ socket }: { socket: Socket }, outgoing: ServerResponse) => {
    if (!server.listening) outgoing.setHeader('Connection', 'close');
    outgoing.once('close', () => note(socket));
  });
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  // `close()` calls it, too.
  server.closeIdleConnections = () => {
    const before = performance.now() - idleMs;
    const isQuiet = [...lastUsedAt].every(
      ([{ writableLength }, usedAt]) => writableLength === 0 && usedAt < before,
    );
    if (!isQuiet) return;
    closeIdleConnections();
    // For Node, a connection without a first request is not idle.
    for (const socket of lastUsedAt.keys()) if (socket.bytesRead === 0) socket.destroy();
  };
}
