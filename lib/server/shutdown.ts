import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';

/** How long answers under way may take to finish: containers are killed after ten seconds, most often. */
const graceMs = 8000;
/** How often connections are closed whose answers have left since: callers would keep them for later. */
const sweepMs = 100;

type Closable = Readonly<{ close: () => Promise<void> }>;

/**
 * Ends the process on SIGTERM or SIGINT once the answers under way have left and what is to be written
 * down has been.
 */
export function closeOnSignal(server: Server, services: Closable, log: Log): void {
  let closing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (closing) process.exit(1);
      closing = true;
      log.info({ signal }, 'closing');
      const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
      const answered = new Promise<boolean>((resolve) => server.close(() => resolve(true)));
      void Promise.race([answered, sleep(graceMs, false)])
        .then((isAnswered) => {
          clearInterval(sweep);
          if (!isAnswered) log.warn({ graceMs }, 'answers under way took too long and are ended');
        })
        .then(() => services.close())
        .catch((error: unknown) => log.error({ err: error }, 'closing failed'))
        .finally(() => process.exit(0));
    });
  }
}
