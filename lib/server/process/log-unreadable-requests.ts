import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '#lib/http/log.ts';

/**
 * Logs connections that Node closes with a 400, 408, 413 or 431 because it cannot read their request. They never reach
 * the request handler. Only the code is logged: the error has the bytes that were sent.
 */
export function logUnreadableRequests(server: Server, log: Log): void {
  // A listener of `clientError` would have to send these responses itself.
  server.on('connection', (socket: Socket) => {
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === undefined || !/^(HPE|ERR_HTTP)_/.test(code)) return;
      const reason = 'unreadable_request';
      log.warn({ reason, code }, 'a connection was closed: its request cannot be read');
    });
  });
}
