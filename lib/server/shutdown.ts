import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';

/** How long answers under way may take to finish. */
const graceMs = 10_000;

type Closable = Readonly<{ close: () => Promise<void> }>;

/**
 * Ends the process on SIGTERM or SIGINT once the answers under way have left and what is to be written
 * down has been.
 */
export function closeOnSignal(server: Server, parts: readonly Closable[], log: Log): void {
  let closing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (closing) process.exit(1);
      closing = true;
      log.info({ signal }, 'closing');
      const answered = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      void Promise.race([answered, sleep(graceMs)])
        .then(() => Promise.all(parts.map((part) => part.close())))
        .catch((error: unknown) => log.error({ err: error }, 'closing failed'))
        .finally(() => process.exit(0));
    });
  }
}
