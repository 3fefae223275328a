import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { patienceMs } from '../support/patience.ts';
import { type ChangingSite, startChangingSite } from './sites/changing-site.ts';
import { findSharedSite, type SharedSite } from './sites/shared-site.ts';

/** Sites for the tests of all files: one that all workers share, and one of each worker, once a test asks for it. */
type WorkerFixtures = {
  site: SharedSite;
  changing: ChangingSite;
};

type TestFixtures = {
  /** Console messages that this test expects, such as a 404. */
  allowed: RegExp | null;
  /** Problems of the pages so far: a test fails if any are left. */
  problems: string[];
};

/**
 * A test that fails on console errors and warnings, blocked content and requests to other hosts. All files use
 * it: those with other worker fixtures would need workers, and browsers, of their own.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
    async ({}, use) => use(findSharedSite()),
    { scope: 'worker' },
  ],
  changing: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
    async ({}, use) => {
      const { site, close } = await startChangingSite();
      await use(site);
      await close();
    },
    { scope: 'worker', timeout: patienceMs },
  ],
  allowed: [null, { option: true }],
  problems: [
    async ({ context, allowed }, use) => {
      const problems = await watchContext(context);
      await use(problems);
      expect(problems.filter((problem) => !allowed?.test(problem))).toEqual([]);
    },
    { auto: true },
  ],
});

/** Waits until React has hydrated the page: buttons that need JavaScript are enabled from then on. */
export async function waitForHydration(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Theme' })).toBeEnabled();
}

/** Delays the scripts of every page, and with them its load event, until the returned function is called. */
export function delayScripts(page: Page): Promise<() => void> {
  return delayRequests(page, '**/_next/static/**/*.js');
}

/** Delays requests of a page until the returned function is called. */
export async function delayRequests(page: Page, pattern: string): Promise<() => void> {
  let release: () => void = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
}

/**
 * Collects the problems of a context's pages from now on: console errors and warnings (React's hydration
 * warnings among them), exceptions, CSP violations, and requests to other hosts.
 */
export async function watchContext(context: BrowserContext): Promise<string[]> {
  const problems: string[] = [];
  context.on('weberror', (error) => problems.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isOwn = ['127.0.0.1', 'localhost'].includes(hostname);
    if (protocol.startsWith('http') && !isOwn) problems.push(`A request to ${request.url()}`);
  });
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`The policy blocked ${blockedURI} (${violatedDirective})`);
    });
  });
  return problems;
}
