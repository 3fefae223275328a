import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';
import { keepConnectionsInUse } from './connections-in-use.ts';

/** How often idle connections are closed: clients would keep them open. */
const sweepMs = 100;
const quietTurnsMin = 3;
const turnsMax = 2_000;

type Closable = Readonly<{ shutdown: AbortController; close: () => Promise<void> }>;
type ShutdownOptions = Readonly<{
  log: Log;
  /** How long responses may take to finish. */
  graceMs: number;
}>;

/**
 * Ends the process on SIGTERM or SIGINT, after the responses under way are sent and usage records are
 * written.
 */
export function closeOnSignal(
  server: Server,
  services: Closable,
  { log, graceMs }: ShutdownOptions,
): void {
  keepConnectionsInUse(server);
  let closing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (closing) process.exit(1);
      closing = true;
      log.info({ signal }, 'closing');
      services.shutdown.abort();
      const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), sweepMs);
      const finished = untilAccepted(server).then(
        () => new Promise<boolean>((resolve) => server.close(() => resolve(true))),
      );
      void Promise.race([finished, sleep(graceMs, false)])
        .then((isFinished) => {
          clearInterval(sweep);
          if (!isFinished) log.warn({ graceMs }, 'responses took too long and are cut');
        })
        .then(() => services.close())
        .catch((error: unknown) => log.error({ err: error }, 'closing failed'))
        .finally(() => process.exit(0));
    });
  }
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
