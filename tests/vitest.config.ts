import { defineConfig } from 'vitest/config';

/** Unit tests mirror `lib/`; API tests send HTTP to a server that was built beforehand. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    // A busy machine is no reason to fail.
    testTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          // Files share modules: importing them anew for each file took most of the time. No test replaces a module.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          // After the unit tests, which use other workers.
          sequence: { groupOrder: 1 },
          include: ['tests/api/**/*.test.ts'],
          globalSetup: ['tests/support/servers/shared-servers.ts'],
          hookTimeout: 120_000,
          // Some files mostly wait for an upstream that does not respond.
          maxWorkers: 3,
          // Loading the clients' libraries anew for each file takes longer than most files.
          isolate: false,
        },
      },
    ],
  },
});
