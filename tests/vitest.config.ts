import { defineConfig } from 'vitest/config';

/** Unit tests mirror `lib/`; API tests speak HTTP to a server that was built beforehand. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
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
