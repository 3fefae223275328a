import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import lighthouse, { type Flags, type Result } from 'lighthouse';
import { requirePrograms } from '../programs.ts';
import { launchChromium } from '../support/clients/chromium.ts';
import { findFreePort } from '../support/servers/free-port.ts';
import { format, printTable } from './figures.ts';
import { checkoutOptions, listVersions, openCheckouts } from './servers/checkout.ts';
import { privatePages, publicPages, startSite } from './servers/site.ts';
import { warmUpPage } from './warm-up-page.ts';

/**
 * `npm run lighthouse`: Lighthouse's mobile preset on the built server's pages, the run with the median
 * performance of five, each in a new browser. Arguments are paths; without any, a page of each kind is
 * measured. An admin is signed in below `/account` and `/admin`. Pages that no search engine lists are
 * measured without the audits that ask for it, and are marked as `unlisted`. Reports go to
 * `test-results/lighthouse`. The last column is Lighthouse's measure of the machine, which its simulated
 * phone is a quarter of: below about 1500 the scores are too low.
 */
const { values, positionals } = parseArgs({
  options: { ...checkoutOptions, runs: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const targets = { performance: 90, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
const categories = Object.keys(targets) as (keyof typeof targets)[];
const reports = `${import.meta.dirname}/../../test-results/lighthouse`;
/** What no page passes that is not meant to be listed; and the console repeats the status of an error page. */
const listingAudits = ['is-crawlable', 'http-status-code', 'robots-txt'];
const statusAudits = ['errors-in-console'];

async function main(): Promise<void> {
  requirePrograms(['chromium', 'taskset']);
  const checkouts = await openCheckouts(values);
  mkdirSync(reports, { recursive: true });
  const rows: string[][] = [];
  const pages = positionals.length > 0 ? positionals : [...publicPages, ...privatePages];
  for (const [version, checkout] of listVersions(checkouts)) {
    await using site = await startSite(checkout);
    const isPrivate = (page: string) => /^\/(?:account|admin)\b/.test(page);
    const cookie = pages.some(isPrivate) ? await site.signIn() : '';
    for (const page of pages) {
      const url = site.url + (page === 'event' ? site.event.path : page);
      const headers: Record<string, string> = isPrivate(page) ? { Cookie: cookie } : {};
      await warmUpPage(url, headers);
      rows.push([version, page, ...(await measurePage({ version, url, headers }))]);
    }
  }
  const headings = ['version', 'page', ...categories, 'target', 'LCP ms', 'CLS', 'TBT ms'];
  printTable([...headings, 'JS kB', 'all kB', 'machine'], rows);
}

type Subject = Readonly<{ version: string; url: string; headers: Record<string, string> }>;

async function measurePage({ version, url, headers }: Subject): Promise<string[]> {
  const response = await fetch(url, { headers });
  const isListed =
    response.ok && !(await response.text()).includes('name="robots" content="noindex');
  const skipAudits = [...(isListed ? [] : listingAudits), ...(response.ok ? [] : statusAudits)];
  const results: Result[] = [];
  for (let run = 0; run < Number(values.runs); run++) {
    results.push(await runLighthouse(url, { extraHeaders: headers, skipAudits }));
  }
  const toScore = (result: Result) => result.categories.performance?.score ?? 0;
  results.sort((a, b) => toScore(a) - toScore(b));
  const result = results[Math.floor(results.length / 2)] ?? noResult(url);
  const name = new URL(url).pathname.replaceAll('/', '_');
  writeFileSync(`${reports}/${version}${name}.json`, JSON.stringify(result));
  const scores = categories.map((category) =>
    Math.round((result.categories[category]?.score ?? Number.NaN) * 100),
  );
  const isMet = categories.every((category, index) => (scores[index] ?? 0) >= targets[category]);
  const read = (id: string, digits: number) =>
    format(result.audits[id]?.numericValue ?? Number.NaN, digits);
  return [
    ...scores.map(String),
    `${isMet ? 'met' : 'missed'}${isListed ? '' : ', unlisted'}`,
    read('largest-contentful-paint', 0),
    read('cumulative-layout-shift', 3),
    read('total-blocking-time', 0),
    ...readKilobytes(result),
    result.environment.benchmarkIndex.toFixed(0),
  ];
}

async function runLighthouse(url: string, flags: Flags): Promise<Result> {
  const port = await findFreePort();
  const browser = await launchChromium(`--remote-debugging-port=${port}`);
  try {
    const options: Flags = { port, output: 'json', logLevel: 'error', ignoreStatusCode: true };
    const run = await lighthouse(url, { ...options, ...flags });
    return run?.lhr ?? noResult(url);
  } finally {
    await browser.close();
  }
}

function noResult(url: string): never {
  throw new Error(`Lighthouse has no result for ${url}.`);
}

type NetworkItem = Readonly<{ resourceType?: string; transferSize?: number }>;

/** Scripts, and everything. */
function readKilobytes({ audits }: Result): string[] {
  const { items = [] } = (audits['network-requests']?.details ?? {}) as {
    items?: readonly NetworkItem[];
  };
  const scripts = items.filter(({ resourceType }) => resourceType === 'Script');
  return [scripts, items].map((some) =>
    format(some.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0) / 1000, 1),
  );
}

await main();
