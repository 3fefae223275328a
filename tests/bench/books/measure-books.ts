import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { TestBrowser } from '../../support/members/test-browser.ts';
import { listChildren } from '../../support/programs/list-children.ts';
import { printTable } from '../figures.ts';
import { type BooksSite, siteUrl, startBooksSite } from './books-site.ts';
import { delayHeads, measureDelays } from './measure-delays.ts';

/**
 * `node tests/bench/books/measure-books.ts --engine sqlite --records 10000,1000000`: what account and admin pages cost
 * (CPU of the server and of PostgreSQL); with `--delays` how long `/health`, proxied requests and turns of the event loop
 * take while pages, files, the audit of the books or a backup run. Needs a build; `--root` measures that of another checkout, and
 * `--only sort=cost` the pages and files with that in their URL.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    records: { type: 'string', default: '10000,1000000' },
    delays: { type: 'boolean', default: false },
    root: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});

const root = resolve(import.meta.dirname, '../../..');
const rounds = 20;
const warmUps = 10;

const memberPages = [
  '/account',
  '/account/usage.csv',
  '/account/requests',
  '/account/requests?status=failed',
  '/account/usage',
  '/account/usage?days=1',
  '/account/usage?days=90',
  '/account/playground',
];
const adminPages = [
  '/admin',
  '/admin/members',
  '/admin/members?q=person-49',
  '/admin/members?sort=cost',
  '/admin/keys',
  '/admin/keys?q=laptop 19',
  '/admin/keys?sort=cost',
  '/admin/keys?sort=unused&state=active',
  '/admin/keys.csv',
  '/admin/requests',
  '/admin/requests?person=mbr_1',
  '/admin/usage?days=1',
  '/admin/usage?days=30',
  '/admin/members/mbr_0',
  '/admin/groups',
  '/admin/webhooks/wh_0',
  '/admin/deliveries',
  '/admin/log',
];

const memberFiles = [
  '/account/data.json',
  '/account/requests.csv',
  '/account/usage.csv?days=90',
  '/account/usage.json?days=90',
];
const adminFiles = [
  '/admin/keys.csv',
  '/admin/keys.csv?sort=cost',
  '/admin/members.csv',
  '/admin/groups.csv',
  '/admin/deliveries.csv',
  '/admin/requests.csv?person=mbr_0',
];

type Kind = 'sqlite' | 'postgres';
async function main(): Promise<void> {
  const kind: Kind = values.engine === 'postgres' ? 'postgres' : 'sqlite';
  const sizes = values.records.split(',');
  const sites: BooksSite[] = [];
  try {
    for (const records of sizes) {
      sites.push(await startBooksSite(kind, records, { root: values.root }));
    }
    if (values.delays) for (const site of sites) await measureAllDelays(kind, site);
    else await measureCosts(kind, sites);
  } finally {
    await Promise.all(sites.map((site) => site.close()));
  }
}

/** The sites in turn, so that a busy machine is as busy for all of them. */
async function measureCosts(kind: Kind, sites: readonly BooksSite[]): Promise<void> {
  const requests: readonly (readonly [string, (site: BooksSite) => Promise<number>])[] = [
    ...memberPages.map((page) => [page, (site: BooksSite) => open(site.member, page)] as const),
    ...adminPages.map((page) => [page, (site: BooksSite) => open(site.admin, page)] as const),
    ['/proxy/v1/key', openKey],
  ];
  const rows: string[][] = [];
  for (const [page, request] of requests.filter(([name]) => name.includes(values.only))) {
    const first: number[] = [];
    const used = sites.map(() => 0);
    let bytes = 0;
    for (let round = -warmUps; round < rounds; round += 1) {
      for (const [index, site] of sites.entries()) {
        const before = readCpuMs(site);
        bytes = await request(site);
        const cpuMs = readCpuMs(site) - before;
        if (round === -warmUps) first.push(cpuMs);
        if (round >= 0) used[index] = (used[index] ?? 0) + cpuMs / rounds;
      }
    }
    const figures = [...used.map((ms) => ms.toFixed(1)), ...first.map((ms) => ms.toFixed(0))];
    rows.push([page, ...figures, (bytes / 1000).toFixed(1)]);
  }
  const wallTimes: string[] = [];
  for (const { settings } of sites) {
    wallTimes.push(await measureCommand(settings, 'lib/cli/keys/keys.ts', 'usage'));
  }
  rows.push(['keys usage (wall)', ...wallTimes]);
  const memory = sites.map(({ server }) => server.memoryMb());
  rows.push([
    'memory, MB',
    ...memory.map(({ now }) => `${now}`),
    ...memory.map(({ peak }) => `most ${peak}`),
  ]);
  const sizes = sites.map(({ records }) => records);
  printTable([`CPU ms, ${kind}`, ...sizes, ...sizes.map((size) => `first ${size}`), 'kB'], rows);
}

async function measureAllDelays(kind: Kind, site: BooksSite): Promise<void> {
  const { records, settings, member, admin } = site;
  const rows: string[][] = [];
  const tell = async (name: string, work: () => Promise<unknown>) => {
    if (name.includes(values.only))
      rows.push([`${records}: ${name}`, ...(await measureDelays(site, work))]);
  };
  await tell('nothing', () => delay(10_000));
  await tell('pages', async () => {
    for (let round = 0; round < 10; round += 1) {
      for (const page of adminPages) await open(admin, page);
      for (const page of memberPages) await open(member, page);
    }
  });
  for (const file of memberFiles) await tell(file, () => open(member, file));
  for (const file of adminFiles) await tell(file, () => open(admin, file));
  const folder = join(site.place.dataDir, 'backup');
  await tell('backup', () => measureCommand(settings, 'lib/cli/backup/backup.ts', folder));
  await tell('--books', () => measureCommand(settings, 'lib/cli/doctor/doctor.ts', '--books'));
  await tell('nothing', () => delay(10_000));
  printTable([`delays in ms, ${kind}`, ...delayHeads], rows);
}

async function openKey({ server, key }: BooksSite): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${server.url}/proxy/v1/key`, { headers });
  if (!response.ok) throw new Error(`key: ${response.status}`);
  return (await response.text()).length;
}

/** @returns the bytes of its text. */
async function open(browser: TestBrowser, path: string): Promise<number> {
  const { status, text } = await browser.open(siteUrl + path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return Buffer.byteLength(text);
}

/** CPU time of all threads of the server and its database, in ms (Documentation/scheduler/sched-stats.rst). */
function readCpuMs({ server, place }: BooksSite): number {
  const files = [server.pid, ...findPostgresOf(place.databaseUrl)].flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`),
  );
  return files.reduce((sum, file) => sum + readNanoseconds(file) / 1e6, 0);
}

/** A thread may have ended since it was listed. */
function readNanoseconds(file: string): number {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10);
  } catch {
    return 0;
  }
}

/** The processes of the server that listens there which serve this database. */
function findPostgresOf(databaseUrl: string | null): number[] {
  if (databaseUrl === null) return [];
  const { port, pathname } = new URL(databaseUrl);
  const isOf = (pid: number, text: string) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
  const main = listChildren(process.pid).find((pid) => isOf(pid, `-p\0${port}`));
  return main === undefined ? [] : listChildren(main).filter((pid) => isOf(pid, pathname.slice(1)));
}

/** Wall time of a command, in ms. */
async function measureCommand(settings: BooksSite['settings'], ...args: string[]): Promise<string> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.stderr.write(`${args.join(' ')}: exit code ${code}\n`);
  return String(Math.round(performance.now() - startedAt));
}

await main();
