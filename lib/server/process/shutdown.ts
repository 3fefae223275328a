import cluster from 'node:cluster';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';
import { drainMessage } from '../workers/worker-pool.ts';

/** How often idle connections are closed: clients would keep them open. */
const sweepMs = 100;
/** How long a connection is idle before it may be closed: longer than a proxy in front would use it again. */
const idleMs = 500;
const quietTurnsMin = 3;
const turnsMax = 2_000;
/** How long responses of a worker that another has replaced may take to finish. */
const drainMs = 3_600_000;

type Closable = Readonly<{ shutdown: AbortController; close: () => Promise<void> }>;
type ShutdownOptions = Readonly<{
  log: Log;
  /** How long responses may take to finish. */
  graceMs: number;
}>;

/**
 * Ends the process on SIGTERM or SIGINT, or when its primary has replaced it, after the responses under way are sent
 * and usage records are written.
 */
export function closeOnSignal(
  server: Server,
  services: Closable,
  { log, graceMs }: ShutdownOptions,
): void {
  keepConnectionsInUse(server);
  closeWithPrimary();
  const close = createClose(server, services, log);
  let wasSignalled = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // Terminals and systemd send it to a worker, too, before its primary passes it on.
      if (wasSignalled && cluster.isWorker) return;
      if (wasSignalled) process.exit(1);
      wasSignalled = true;
      log.info({ signal }, 'closing');
      close(graceMs);
    });
  }
  process.on('message', (message) => {
    if (message !== drainMessage) return;
    log.info({}, 'closing, since another worker has replaced this one');
    close(drainMs);
  });
}

/** Closes once, and exits. Each call says how many ms responses may take from then on; the first to pass counts. */
function createClose(server: Server, services: Closable, log: Log): (graceMs: number) => void {
  const cut = Promise.withResolvers<false>();
  let isClosing = false;
  return (graceMs) => {
    setTimeout(() => cut.resolve(false), graceMs);
    if (isClosing) return;
    isClosing = true;
    services.shutdown.abort();
    const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), sweepMs);
    const finished = untilAccepted(server).then(
      () => new Promise<boolean>((resolve) => server.close(() => resolve(true))),
    );
    void Promise.race([finished, cut.promise])
      .then((isFinished) => {
        clearInterval(sweep);
        if (!isFinished) log.warn({}, 'responses took too long and are cut');
      })
      .then(() => services.close())
      .catch((error: unknown) => log.error({ err: error }, 'closing failed'))
      .finally(() => process.exit(0));
  };
}

/** Where the primary was killed, its workers finish what they do. Node would end them at once. */
function closeWithPrimary(): void {
  const { worker } = cluster;
  worker?.once('disconnect', () => {
    worker.exitedAfterDisconnect = true;
    process.kill(process.pid, 'SIGTERM');
  });
}

/** Connections that the system has accepted, but not this process yet, would be reset: each turn takes one. */
async function untilAccepted(server: Server): Promise<void> {
  let quietTurns = 0;
  const onConnection = () => {
    quietTurns = 0;
  };
  server.on('connection', onConnection);
  for (let turns = 0; quietTurns < quietTurnsMin && turns < turnsMax; turns++) {
    quietTurns += 1;
    await nextTurn();
  }
  server.off('connection', onConnection);
}

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
