import type { Server } from 'node:http';
import type { Log } from '#lib/http/log.ts';

/** How long answers under way may take to finish. */
const graceMs = 10_000;

/** Ends the process on SIGTERM or SIGINT once the answers under way have left. */
export function closeOnSignal(server: Server, log: Log): void {
  let closing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (closing) process.exit(1);
      closing = true;
      log.info({ signal }, 'closing');
      server.close(() => process.exit(0));
      server.closeIdleConnections();
      setTimeout(() => process.exit(0), graceMs).unref();
    });
  }
}
