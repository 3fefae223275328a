import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { isCi } from './programs.ts';
import { patienceMs } from './support/patience.ts';

const sharedPostgres = 'tests/support/servers/shared-postgres.ts';

/** Unit tests mirror `lib/`; API tests send HTTP to a server that was built beforehand. */
export default defineConfig({
  test: {
    setupFiles: ['tests/support/seeded-properties.ts'],
    root: `${import.meta.dirname}/..`,
    testTimeout: 5 * patienceMs,
    hookTimeout: 5 * patienceMs,
    retry: isCi() ? 1 : 0,
    expect: { poll: { timeout: patienceMs } },
    // Twice the cores that CI has, since many files wait. Both projects share them: unit tests run
    // where a long API test would leave the others idle.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/{,long/}unit/**/*.test.ts'],
          globalSetup: [sharedPostgres, 'tests/support/image/og-fonts.ts'],
          // Files share modules: importing them anew for each file took most of the time. No test replaces a module.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['tests/{,long/}api/**/*.test.ts'],
          globalSetup: [sharedPostgres, 'tests/support/servers/shared-servers.ts'],
          // Loading the clients' libraries anew for each file takes longer than most files.
          isolate: false,
        },
      },
    ],
  },
});
