import './process/environment.ts';
import cluster from 'node:cluster';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { loadConfig } from '#lib/config/config.ts';
import { ConfigError } from '#lib/config/read-settings.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';

/** The process that `npm start` runs: it serves, or it is the primary of processes that do. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const hasWorkers = config.workers > 1 || config.workerMemoryBytesMax !== null;
  if (hasWorkers && cluster.isPrimary) {
    const { runPrimary } = await import('./workers/primary.ts');
    await runPrimary(config);
  } else {
    const { serve } = await import('./serve.ts');
    await serve(config);
  }
}

// Errors that an operator can fix are printed as one line.
function isExpected(error: unknown): error is Error {
  return error instanceof ConfigError || isStorageError(error);
}

main().catch((error: unknown) => {
  const isKnown = isExpected(error);
  process.stderr.write(`${isKnown ? error.message : inspect(error)}\n`);
  // For what collects the log; on a terminal one line is enough.
  if (!process.stdout.isTTY) {
    const fields = isKnown ? { problem: error.message } : { err: error };
    pino({ base: null }).fatal({ reason: 'start_failed', ...fields }, 'the server cannot start');
  }
  process.exit(1);
});
