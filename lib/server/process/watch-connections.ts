import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '#lib/http/log.ts';
import { channels } from '#lib/telemetry/channels.ts';

/** Of the file descriptors; the others are for files, the database and upstreams. */
const share = 3 / 4;

/** Where it would run out of file descriptors, the server closes new connections, and says so. */
export function limitConnections(
  server: Server,
  { log, descriptorsMax = readDescriptorsMax() }: Readonly<{ log: Log; descriptorsMax?: number }>,
): void {
  if (!Number.isFinite(descriptorsMax)) return;
  const connectionsMax = Math.floor(descriptorsMax * share);
  server.maxConnections = connectionsMax;
  server.on('drop', () => {
    channels.connectionDropped.publish(null);
    log.warn({ reason: 'connections_full', connectionsMax }, 'a connection was dropped');
  });
}

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

function readDescriptorsMax(): number {
  try {
    const [, soft] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft);
  } catch {
    return Number.NaN;
  }
}
