import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Node counts a connection as idle once its response has been handed to the socket, and closing the server would cut
 * what a slow client has not received yet. With this, idle connections are closed only while nothing is unsent.
 */
export function keepUnsentResponses(server: Server): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  // `close()` calls it, too.
  server.closeIdleConnections = () => {
    if ([...sockets].every(({ writableLength }) => writableLength === 0)) closeIdleConnections();
  };
}
