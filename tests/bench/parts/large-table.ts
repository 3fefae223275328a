import { setTimeout as delay } from 'node:timers/promises';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { toCallQuota } from '#lib/events/source/airtable/call-quota.ts';
import { startTable, toDay, toTableSettings } from '../../support/servers/marquee-server.ts';
import { format, median, printTable } from '../figures.ts';
import { type Checkouts, makeDataDir, startCheckout } from '../servers/checkout.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { loopDelayPreload, takeLoopDelay } from '../take-loop-delay.ts';

/** What is read is stored a moment after it is served. */
const storedMs = 30_000;
const queries = 200;
const cacheSeconds = 240;
/** What takes long with many events, when nobody has asked for it before. */
const longUrls = [
  '/api/v1/events',
  '/api/v1/events/calendar.ics',
  '/llms-full.txt',
  '/sitemap.xml',
  '/sitemap/1.xml',
  '/?q=robot',
];

/** A large table at Airtable’s pace: its read and one refresh, a start with the stored read, and queries. */
export async function benchLargeTable({ current }: Checkouts, rows: number): Promise<void> {
  const records = sampleRecords({ today: toDay(Date.now()), count: rows });
  const airtable = await startTable({ requestsPerSecond: 5, records });
  const options = {
    environment: { ...toTableSettings(airtable), DATA_DIR: makeDataDir() },
    path: '/api/v1/events?limit=1',
    preload: loopDelayPreload,
  };
  const startedAt = performance.now();
  const first = await startCheckout(current, options);
  const firstMs = performance.now() - startedAt;
  // Its code is loaded at a start, which is faster here.
  await measure(first, '/docs/api');
  const long: [name: string, figures: string][] = [];
  for (const url of longUrls) long.push([`${url}: ${longHeading}`, await measureLong(first, url)]);
  const refreshed = await watchRefresh(first);
  const readMemory = first.memoryMb();
  await delay(storedMs);
  await first.stop();
  const callsBefore = airtable.stats().listRequests;
  const restartedAt = performance.now();
  const second = await startCheckout(current, options);
  const restartMs = performance.now() - restartedAt;
  const restartCpuMs = second.cpuMicroseconds() / 1000;
  const calls = airtable.stats().listRequests - callsBefore;
  const searches = [];
  for (let count = 0; count < queries; count++) {
    searches.push((await measure(second, `/api/v1/events?limit=20&q=robot+${count}`)).ms);
  }
  const memory = second.memoryMb();
  await second.stop();
  await airtable.close();
  const quota = toCallQuota({ used: 0, rows, cacheSeconds, callsMax: null });
  printTable(
    ['a table at five calls a second', `${format(rows)} rows`],
    [
      ['start and first read, s', format(firstMs / 1000, 1)],
      ...long,
      ['a refresh, s', format(refreshed.readMs / 1000, 1)],
      ['slowest request until it was over, ms', format(refreshed.slowestMs)],
      ['oldest events that were served, s', format(refreshed.oldestMs / 1000)],
      ['memory after it, and at its peak, MB', `${readMemory.now}, ${readMemory.peak}`],
      ['start with the stored read, s', format(restartMs / 1000, 1)],
      ['CPU of that, s', format(restartCpuMs / 1000, 1)],
      ['calls of Airtable for that', format(calls)],
      ['a query that is new, median and slowest, ms', toSpread(searches)],
      ['memory of the second process, and at its peak, MB', `${memory.now}, ${memory.peak}`],
      ['calls in 30 days, projected', format(quota.projected)],
    ],
  );
}

/** Requests a list each half second until a refresh has taken place. */
async function watchRefresh(server: ServerProcess) {
  const seen = { slowestMs: 0, oldestMs: 0, readMs: 0 };
  let readAt: string | null = null;
  for (;;) {
    const { ms, text } = await measure(server, '/api/v1/events?limit=20');
    const { generatedAt } = JSON.parse(text).meta;
    const ageMs = Date.now() - Date.parse(generatedAt);
    seen.slowestMs = Math.max(seen.slowestMs, ms);
    seen.oldestMs = Math.max(seen.oldestMs, ageMs);
    // A new read begins when it says so, and is there when it is served.
    if (readAt !== null && generatedAt !== readAt) return { ...seen, readMs: ageMs };
    readAt = generatedAt;
    await delay(500);
  }
}

const longHeading = 'first byte, all of it, longest turn and its CPU time, ms';

async function measureLong(server: ServerProcess, path: string): Promise<string> {
  await takeLoopDelay(server);
  const startedAt = performance.now();
  const response = await fetch(server.url + path, { headers: { 'accept-encoding': 'br' } });
  const reader = response.body?.getReader();
  await reader?.read();
  const firstMs = performance.now() - startedAt;
  while (reader !== undefined && !(await reader.read()).done);
  const totalMs = performance.now() - startedAt;
  const { delayMs, cpuMs } = await takeLoopDelay(server);
  return [firstMs, totalMs, delayMs, cpuMs].map((ms) => format(ms)).join(', ');
}

async function measure(server: ServerProcess, path: string) {
  const startedAt = performance.now();
  const response = await fetch(server.url + path);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return { ms: performance.now() - startedAt, text };
}

function toSpread(times: readonly number[]): string {
  return `${format(median(times), 1)}, ${format(Math.max(...times), 1)}`;
}
