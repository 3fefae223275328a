import { defineConfig } from 'vitest/config';

/** Unit tests mirror `lib/`; API tests speak HTTP to a server that was built beforehand. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
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
          include: ['tests/api/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 120_000,
          // Some files mostly wait for an upstream that hangs.
          maxWorkers: 3,
        },
      },
    ],
  },
});
