import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright';
import { requirePrograms } from '../programs.ts';
import { launchChromium } from '../support/clients/chromium.ts';
import { listenOnLoopback } from '../support/servers/loopback-server.ts';
import {
  format,
  formatTarget,
  measureInTurns,
  median,
  printTable,
  type Target,
} from './figures.ts';
import { phone, throttle } from './phone.ts';
import { type Checkout, checkoutOptions, listVersions, openCheckouts } from './servers/checkout.ts';
import { publicPages, startSite } from './servers/site.ts';
import { warmUpPage } from './warm-up-page.ts';

/**
 * `npm run bench:visits`: what a visitor with a phone notices on a first visit, with throttling that is
 * applied, not simulated: slow 4G, a CPU four times slower. The median of `--rounds` visits, each in a
 * new browser context. First paints are compared with a page of 1 kB, which is as fast as this machine gets. Arguments are paths; without any, one page of each kind is visited.
 * `--root DIR` measures another built checkout; `--against DIR` a second one in turns.
 */
const { values, positionals } = parseArgs({
  options: { ...checkoutOptions, rounds: { type: 'string', default: '7' } },
  allowPositionals: true,
});

type Visit = Readonly<{
  paintMs: number;
  lcpMs: number;
  /** With the shifts while somebody types and filters. */
  cls: number;
  typingMs: number | null;
}>;

const toTargets = (page: string, floorMs: number): Readonly<Record<keyof Visit, Target>> => ({
  paintMs: { atMost: Math.round(floorMs) + (page === '/' ? 300 : 150) },
  lcpMs: { atMost: page === '/' ? 800 : 600 },
  cls: { atMost: 0.02 },
  typingMs: { atMost: 100 },
});

const floor = 'a page of 1 kB';

type Subject = Readonly<{ version: string; page: string; url: string }>;

async function main(): Promise<void> {
  requirePrograms(['chromium', 'taskset']);
  const checkouts = await openCheckouts(values);
  await using servers = new AsyncDisposableStack();
  const subjects: Subject[] = [];
  for (const [version, checkout] of listVersions(checkouts)) {
    subjects.push(...(await startSubjects(version, checkout, servers)));
  }
  subjects.push({ version: '', page: floor, url: await startFloor(servers) });
  const browser = await launchChromium();
  servers.defer(() => browser.close());
  const visits = await measureInTurns(subjects, Number(values.rounds), (subject) =>
    visit(browser, subject),
  );
  const floorMs = median([...visits].at(-1)?.[1].map((visit) => visit.paintMs) ?? []);
  const rows = [...visits].map(([{ version, page }, list]) => {
    const target = toTargets(page, floorMs);
    const cells = (['paintMs', 'lcpMs', 'cls', 'typingMs'] as const).flatMap((key) => {
      const figure = median(list.map((visit) => visit[key] ?? Number.NaN));
      if (Number.isNaN(figure)) return ['', ''];
      const shown = format(figure, key === 'cls' ? 3 : 0);
      return [shown, page === floor ? '' : formatTarget(figure, target[key])];
    });
    return [version, page, ...cells];
  });
  const headings = [
    'version',
    'page',
    'first paint ms',
    'target',
    'LCP ms',
    'target',
    'CLS',
    'target',
  ];
  printTable([...headings, 'worst event while typing ms', 'target'], rows);
}

async function startSubjects(
  version: string,
  checkout: Checkout,
  servers: AsyncDisposableStack,
): Promise<Subject[]> {
  const site = servers.use(await startSite(checkout));
  const pages = positionals.length > 0 ? positionals : publicPages;
  const subjects = pages.map((page) => ({
    version,
    page,
    url: site.url + (page === 'event' ? site.event.path : page),
  }));
  for (const { url } of subjects) await warmUpPage(url);
  return subjects;
}

async function startFloor(servers: AsyncDisposableStack): Promise<string> {
  const html = `<!doctype html><title>Floor</title><p>${'A short page. '.repeat(70)}</p>`;
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(html);
  });
  return `${servers.use(await listenOnLoopback(server)).url}/`;
}

async function visit(browser: Browser, { page, url }: Subject): Promise<Visit> {
  const context = await browser.newContext(phone);
  try {
    const tab = await context.newPage();
    await throttle(await context.newCDPSession(tab), 4);
    await tab.addInitScript(observe);
    await tab.goto(url, { waitUntil: 'load' });
    // Late fonts and pictures may still shift the layout.
    await tab.waitForTimeout(3_000);
    const typingMs = page === '/' ? await typeIntoSearch(tab) : null;
    const { paintMs, lcpMs, cls } = await tab.evaluate(() => window.measured);
    return { paintMs, lcpMs, cls, typingMs };
  } finally {
    await context.close();
  }
}

/** The longest event (Event Timing: from the input to the next paint) while a word is typed. */
async function typeIntoSearch(tab: Page): Promise<number> {
  const search = tab.locator('input[name=q]');
  await search.tap();
  await search.pressSequentially('robot', { delay: 120 });
  await tab.waitForTimeout(3_000);
  return tab.evaluate(() => window.measured.worstEventMs);
}

declare global {
  interface Window {
    measured: { paintMs: number; lcpMs: number; cls: number; worstEventMs: number };
  }
}

/** Runs in the page before its own scripts. */
function observe(): void {
  const measured = { paintMs: 0, lcpMs: 0, cls: 0, worstEventMs: 0 };
  window.measured = measured;
  const on = (type: string, read: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(read)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    } as PerformanceObserverInit);
  on('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') measured.paintMs = startTime;
  });
  on('largest-contentful-paint', ({ startTime }) => {
    measured.lcpMs = startTime;
  });
  on('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    };
    if (!hadRecentInput) measured.cls += value;
  });
  on('event', ({ duration }) => {
    measured.worstEventMs = Math.max(measured.worstEventMs, duration);
  });
}

await main();
