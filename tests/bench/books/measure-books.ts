import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startIdentityServer } from '#lib/demo/identity/identity-server.ts';
import { toMembersSettings } from '../../support/members/members-site.ts';
import { createTestBrowser, type TestBrowser } from '../../support/members/test-browser.ts';
import { startTestModels } from '../../support/models/test-models.ts';
import { startPostgres } from '../../support/programs/postgres.ts';
import { printTable } from '../figures.ts';
import { startEventsTable } from '../servers/events-table.ts';
import { type ServerProcess, startServerProcess } from '../servers/server-process.ts';
import { fillDatabase } from './fill-database.ts';
import { delayHeads, measureDelays } from './measure-delays.ts';

/**
 * `node tests/bench/books/measure-books.ts --engine sqlite --records 10000,1000000`: what account and admin pages cost
 * (CPU of the server and of PostgreSQL), and how long `/health` and proxied requests take while pages, the audit of the
 * books or a backup run. Needs a build.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    records: { type: 'string', default: '10000,1000000' },
    delays: { type: 'boolean', default: false },
  },
});

const root = resolve(import.meta.dirname, '../../..');
const siteUrl = 'https://events.example';
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

type Kind = 'sqlite' | 'postgres';
type Settings = Readonly<Record<string, string | undefined>>;

/** A server with so many records, and who is signed in. */
type Site = Readonly<{
  records: string;
  dataDir: string;
  settings: Settings;
  server: ServerProcess;
  member: TestBrowser;
  admin: TestBrowser;
  key: string;
  readCpuMs: () => number;
  close: () => Promise<void>;
}>;

async function main(): Promise<void> {
  const kind: Kind = values.engine === 'postgres' ? 'postgres' : 'sqlite';
  const sizes = values.records.split(',');
  const sites: Site[] = [];
  try {
    for (const records of sizes) sites.push(await startSite(kind, records));
    await measureCosts(kind, sites);
    if (values.delays) for (const site of sites) await measureAllDelays(kind, site);
  } finally {
    await Promise.all(sites.map((site) => site.close()));
  }
}

async function startSite(kind: Kind, records: string): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marquee-bench-'));
  const postgres = kind === 'postgres' ? await startPostgres() : null;
  const databaseUrl = (await postgres?.createDatabase()) ?? null;
  const identity = await startIdentityServer({ siteUrl });
  const { airtable, environment } = await startEventsTable();
  const models = await startTestModels({ key: 'sk-bench' });
  const startedAt = performance.now();
  await fillDatabase({
    databaseUrl,
    dataDir,
    records: Number(records),
    issuer: identity.issuer,
    subject: 'ada',
    now: Date.now(),
  });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stderr.write(`${records} records in ${seconds} s\n`);
  const settings = {
    ...environment,
    ...toMembersSettings(siteUrl, identity),
    AI_UPSTREAM_URL: models.url,
    AI_UPSTREAM_KEY: models.key,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    // Far more than are sent.
    PROXY_REQUESTS_PER_MINUTE: '1000000',
    PROXY_TOKENS_PER_DAY: '999999999',
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl, KEY_PEPPER: 'x'.repeat(40) }),
  };
  const server = await startServerProcess(
    ['--disable-warning=ExperimentalWarning', 'lib/server/main.ts'],
    { environment: settings, processor: 'any' },
  );
  const signIn = async (person: string) => {
    const browser = createTestBrowser({ [siteUrl]: server.url });
    const choice = await browser.open(`${siteUrl}/sign-in`);
    return { browser, page: await browser.submit(choice, choice.url, { person }) };
  };
  const member = await signIn('ada');
  const admin = await signIn('root');
  const made = await admin.browser.submit(admin.page, '/account/keys', { name: 'bench' });
  const [key = ''] = /\bmq_\w{49}\b/.exec(made.text) ?? [];
  return {
    records,
    dataDir,
    settings,
    server,
    member: member.browser,
    admin: admin.browser,
    key,
    readCpuMs: () => readCpuMs([server.pid, ...findPostgresOf(databaseUrl)]),
    async close() {
      await server.stop();
      await Promise.all([identity.close(), airtable.close(), models.close()]);
      await postgres?.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The sites in turn, so that a busy machine is as busy for all of them. */
async function measureCosts(kind: Kind, sites: readonly Site[]): Promise<void> {
  const requests: readonly (readonly [string, (site: Site) => Promise<number>])[] = [
    ...memberPages.map((page) => [page, (site: Site) => open(site.member, page)] as const),
    ...adminPages.map((page) => [page, (site: Site) => open(site.admin, page)] as const),
    ['/proxy/v1/key', openKey],
  ];
  const rows: string[][] = [];
  for (const [page, request] of requests) {
    const first: number[] = [];
    const used = sites.map(() => 0);
    let bytes = 0;
    for (let round = -warmUps; round < rounds; round += 1) {
      for (const [index, site] of sites.entries()) {
        const before = site.readCpuMs();
        bytes = await request(site);
        const cpuMs = site.readCpuMs() - before;
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
  const sizes = sites.map(({ records }) => records);
  printTable([`CPU ms, ${kind}`, ...sizes, ...sizes.map((size) => `first ${size}`), 'kB'], rows);
}

async function measureAllDelays(kind: Kind, site: Site): Promise<void> {
  const { records, settings, member, admin } = site;
  const rows: string[][] = [];
  const tell = async (name: string, work: () => Promise<unknown>) =>
    rows.push([`${records}: ${name}`, ...(await measureDelays(site, work))]);
  await tell('nothing', () => delay(10_000));
  await tell('pages', async () => {
    for (let round = 0; round < 10; round += 1) {
      for (const page of adminPages) await open(admin, page);
      for (const page of memberPages) await open(member, page);
    }
  });
  await tell('export', () => open(member, '/account/data.json'));
  const folder = join(site.dataDir, 'backup');
  await tell('backup', () => measureCommand(settings, 'lib/cli/backup/backup.ts', folder));
  await tell('--books', () => measureCommand(settings, 'lib/cli/doctor/doctor.ts', '--books'));
  await tell('nothing', () => delay(10_000));
  printTable([`delays in ms, ${kind}`, ...delayHeads], rows);
}

async function openKey({ server, key }: Site): Promise<number> {
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

/** CPU time of all threads of processes, in ms (Documentation/scheduler/sched-stats.rst). */
function readCpuMs(pids: readonly number[]): number {
  const files = pids.flatMap((pid) =>
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
  const children = (pid: number): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .map(Number)
      .filter((child) => child > 0);
  const main = children(process.pid).find((pid) => isOf(pid, `-p\0${port}`));
  return main === undefined ? [] : children(main).filter((pid) => isOf(pid, pathname.slice(1)));
}

/** Wall time of a command, in ms. */
async function measureCommand(
  settings: Readonly<Record<string, string | undefined>>,
  ...args: string[]
): Promise<string> {
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
