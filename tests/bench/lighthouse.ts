import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import lighthouse, { type Result } from 'lighthouse';
import { buildIfNeeded } from '#lib/cli/build-if-needed.ts';
import { toTextTable } from '#lib/cli/terminal.ts';
import { requirePrograms } from '../programs.ts';
import { chromiumArguments, findChromium } from '../support/chromium.ts';
import { findFreePort } from '../support/free-port.ts';
import { startMarquee, startTable, toTableSettings } from '../support/marquee-server.ts';

/**
 * `npm run lighthouse`: the built server's pages as Lighthouse's mobile preset sees them, throttled by
 * its own simulation. Each page is opened by newcomers, in browsers that have seen none of the site; of
 * their runs the table has the one with the median score. The last column is Lighthouse's own measure of
 * the machine: its simulated phone is one fourth of it, and is meant for one of 1500 or more. Arguments
 * are paths; reports go to `test-results/lighthouse`.
 */
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const reports = `${import.meta.dirname}/../../test-results/lighthouse`;
const runs = 5;

async function main(): Promise<void> {
  requirePrograms(['chromium']);
  await buildIfNeeded();
  const table = await startTable();
  const server = await startMarquee({ ...toTableSettings(table) });
  try {
    mkdirSync(reports, { recursive: true });
    const given = process.argv.slice(2);
    const paths = given.length > 0 ? given : ['/', await findEventPath(server.url), '/docs/api'];
    const rows: string[][] = [];
    for (const path of paths) {
      await visitFirst(server.url, path);
      rows.push([path, ...(await measure(server.url + path))]);
    }
    const headings = [
      'page',
      ...categories,
      'LCP ms',
      'CLS',
      'TBT ms',
      'JS kB',
      'all kB',
      'other hosts',
      'machine',
    ];
    process.stdout.write(`\n${toTextTable(headings, rows)}\n`);
  } finally {
    await server.stop();
    await table.close();
  }
}

/** The first visitor after a start renders the page and makes its pictures; the figures are those of all others. */
async function visitFirst(url: string, path: string): Promise<void> {
  const html = await (await fetch(url + path)).text();
  const sources = /\/media\/att\w+\?w=(?:160|320|640|960|1280)(?= |")/g;
  for (const address of new Set(html.match(sources))) {
    const response = await fetch(url + address, { headers: { accept: 'image/avif,*/*' } });
    await response.arrayBuffer();
  }
  // By now the table may have been read again, and the page be another; then it is pressed harder.
  await (await fetch(url + path, { headers: { 'accept-encoding': 'br' } })).arrayBuffer();
  await setTimeout(1_000);
}

async function measure(url: string): Promise<string[]> {
  const results: Result[] = [];
  for (let run = 0; run < runs; run++) results.push(await runOnce(url));
  const toScore = (result: Result) => result.categories.performance?.score ?? 0;
  results.sort((one, other) => toScore(one) - toScore(other));
  const lhr = results[Math.floor(runs / 2)];
  if (lhr === undefined) throw new Error(`Lighthouse had nothing to say of ${url}.`);
  const name = new URL(url).pathname.replaceAll('/', '_');
  writeFileSync(`${reports}/${name}.json`, JSON.stringify(lhr));
  const { audits } = lhr;
  const amount = (id: string, digits: number) =>
    (audits[id]?.numericValue ?? Number.NaN).toFixed(digits);
  const { scriptBytes, bytes, otherHosts } = readRequests(audits['network-requests']?.details, url);
  return [
    ...categories.map((name) =>
      String(Math.round((lhr.categories[name]?.score ?? Number.NaN) * 100)),
    ),
    amount('largest-contentful-paint', 0),
    amount('cumulative-layout-shift', 3),
    amount('total-blocking-time', 0),
    (scriptBytes / 1000).toFixed(1),
    (bytes / 1000).toFixed(1),
    String(otherHosts),
    lhr.environment.benchmarkIndex.toFixed(0),
  ];
}

async function runOnce(url: string): Promise<Result> {
  const port = await findFreePort();
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...chromiumArguments, `--remote-debugging-port=${port}`],
  });
  try {
    const run = await lighthouse(url, { port, output: 'json', logLevel: 'error' });
    if (run === undefined) throw new Error(`Lighthouse had nothing to say of ${url}.`);
    return run.lhr;
  } finally {
    await browser.close();
  }
}

type NetworkItem = Readonly<{ url?: string; resourceType?: string; transferSize?: number }>;

function readRequests(details: unknown, url: string) {
  const { items = [] } = (details ?? {}) as { items?: readonly NetworkItem[] };
  const { origin } = new URL(url);
  const sum = (some: readonly NetworkItem[]) =>
    some.reduce((total, { transferSize = 0 }) => total + transferSize, 0);
  return {
    scriptBytes: sum(items.filter(({ resourceType }) => resourceType === 'Script')),
    bytes: sum(items),
    otherHosts: items.filter(
      (item) => /^https?:/.test(item.url ?? '') && !item.url?.startsWith(origin),
    ).length,
  };
}

async function findEventPath(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/events?status=ongoing&limit=1`);
  const { data } = (await response.json()) as { data: { slug: string }[] };
  return `/events/${data[0]?.slug}`;
}

await main();
