import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keysCommand } from '#lib/cli/keys/keys.ts';
import { createKeyAuthenticator } from '#lib/keys/key-authenticator.ts';
import { createKeyHasher, isKeyText } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import { noUsage } from '#lib/spend/usage/usage-totals.ts';
import { makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { keyDefaults } from '../../../support/factories/key-services.ts';
import { callCommand } from '../../../support/programs/call-command.ts';
import { type Outcome, runNode } from '../../../support/programs/run-node.ts';
import { openTestDatabase } from '../../../support/servers/each-database.ts';
import { setUpPostgres } from '../../../support/servers/postgres-server.ts';
import { storeUsage } from '../../../support/store-usage.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { createTestLog } from '../../../support/test-log.ts';

const pepper = 'a-pepper-that-tests-share-0123456789';

type Settings = Readonly<Record<string, string>>;

/** `npm run keys -- …` with its own settings. The first command may create the database. */
function keys(settings: Settings, given: string): Promise<Outcome> {
  return callCommand(keysCommand, toWords(given), settings);
}

/** The same in a process of its own. */
function startKeys(settings: Settings, given: string, as: Readonly<{ uid?: number }> = {}) {
  const environment = { ...settings };
  return runNode(['lib/cli/keys/keys.ts', ...toWords(given)], { environment, ...as });
}

function toWords(given: string): string[] {
  const words = given.split(' ').filter((word) => word !== '');
  return given.startsWith('create') ? [...words, '--create-database'] : words;
}

/** Authenticates keys as a server with these settings does. */
async function openAuthenticator({ DATA_DIR = '', DATABASE_URL, KEY_PEPPER }: Settings) {
  const place = { databaseUrl: DATABASE_URL ?? null, dataDir: DATA_DIR };
  const database = await openTestDatabase(place);
  const toHash = createKeyHasher(loadPepper({ keyPepper: KEY_PEPPER ?? null, dataDir: DATA_DIR }));
  const { authenticate } = createKeyAuthenticator({
    keys: database.keys,
    members: database.members,
    toHash,
    defaults: keyDefaults,
    keysWorkUntil: () => Number.POSITIVE_INFINITY,
    siteUrl: 'https://events.example',
    now: Date.now,
    log: createTestLog(),
  });
  return (text: string) => authenticate(`Bearer ${text.trim()}`);
}

test('a key is printed alone, works, is listed without its text, rotated and revoked', async () => {
  const settings = { DATA_DIR: makeTestFolder() };
  const create =
    'create --name laptop --rpm 5 --tpd 700 --models demo/*,other --expires 2999-12-31';
  const made = await keys(settings, create);
  const text = made.out.trim();
  expect(isKeyText(text)).toBe(true);
  expect(made.error).toMatch(
    /^Database: SQLite, \S+\nThe key "laptop" \(key_\w{16}\) was created\. It is shown only once:\n$/,
  );
  const authenticate = await openAuthenticator(settings);
  const { key } = await authenticate(text);
  expect(key).toMatchObject({
    name: 'laptop',
    requestsPerMinute: 5,
    limits: [{ tokens: 700 }],
    models: ['demo/*', 'other'],
    expiresAt: Date.parse('3000-01-01T00:00:00Z'),
  });
  const listed = await keys(settings, 'list');
  expect(listed.out).toMatch(/laptop +key_\w{16} +mq_\w{5}… +active +5 +700 /);
  expect(listed.out).not.toContain(text.slice(8));
  const rotated = await keys(settings, 'rotate laptop --quiet');
  expect(rotated.error).toBe('');
  expect(isKeyText(rotated.out.trim())).toBe(true);
  await authenticate(rotated.out);
  const revoked = await keys(settings, `revoke ${rotated.out.trim()}`);
  expect(revoked.out).toContain('"laptop" is revoked');
  expect((await keys(settings, 'list')).out).toMatch(/laptop .* revoked 20\d\d-/);
});

test('processes that start at once share one pepper and one set of tables', async () => {
  const dataDir = join(makeTestFolder(), 'data');
  const names = Array.from({ length: 4 }, (_, index) => `create --name key-${index} --quiet`);
  const made = await Promise.all(names.map((given) => startKeys({ DATA_DIR: dataDir }, given)));
  expect(made.map(({ error }) => error).join('')).toBe('');
  const authenticate = await openAuthenticator({ DATA_DIR: dataDir });
  for (const { out } of made) await authenticate(out);
  const files = readdirSync(dataDir).filter((name) => !name.startsWith('marquee.db-'));
  expect(files.toSorted()).toEqual(['marquee.db', 'pepper']);
  for (const file of files) expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
});

describe('on PostgreSQL', () => {
  const postgres = setUpPostgres();

  test('commands that start at once share their keys, and nothing is written to disk', async () => {
    const dataDir = makeTestFolder();
    const databaseUrl = await postgres.createDatabase();
    const settings = { DATABASE_URL: databaseUrl, KEY_PEPPER: pepper, DATA_DIR: dataDir };
    expect((await keys(settings, 'list')).error).toContain('There is no Marquee database yet');
    const names = Array.from({ length: 4 }, (_, index) => `create --name key-${index} --quiet`);
    const made = await Promise.all(names.map((given) => keys(settings, given)));
    expect(made.map(({ error }) => error).join('')).toBe('');
    const { host, pathname } = new URL(databaseUrl);
    expect((await keys(settings, 'list')).error).toBe(`Database: PostgreSQL, ${host}${pathname}\n`);
    const authenticate = await openAuthenticator(settings);
    for (const { out } of made) await authenticate(out);
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

test('the list says which keys need the previous pepper, and when none does', async () => {
  const place = { databaseUrl: null, dataDir: makeTestFolder() };
  await openTestDatabase(place);
  const before = { DATA_DIR: place.dataDir, KEY_PEPPER: 'b'.repeat(32) };
  const during = { ...before, KEY_PEPPER: pepper, KEY_PEPPER_PREVIOUS: before.KEY_PEPPER };
  for (const name of ['oldest', 'rotated', 'revoked']) await keys(before, `create --name ${name}`);
  expect((await keys(before, 'list')).out).not.toContain('pepper');
  await keys(during, 'create --name new');
  const list = async () => (await keys(during, 'list')).out;
  const first = await list();
  expect(first).toMatch(/^name .* pepper\n/);
  for (const name of ['oldest', 'rotated', 'revoked']) {
    expect(first).toMatch(new RegExp(`\n${name} .* previous\n`));
  }
  expect(first).toMatch(/\nnew .* current\n/);
  expect(first).toContain('3 keys need KEY_PEPPER_PREVIOUS: rotate them before you remove it.');
  await keys(during, 'rotate rotated');
  await keys(during, 'revoke revoked');
  expect(await list()).toContain('\n1 key needs KEY_PEPPER_PREVIOUS: rotate');
  await keys(during, 'rotate oldest');
  expect(await list()).toContain('\nNo key needs KEY_PEPPER_PREVIOUS any more: remove it.\n');
  const listed = JSON.parse((await keys(during, 'list --json')).out);
  const use = listed.keys.map(({ name, pepper }: Record<string, string>) => `${name} ${pepper}`);
  expect(use.toSorted()).toEqual([
    'new current',
    'oldest current',
    'revoked previous',
    'rotated current',
  ]);
});

test('usage is a table by day and model with a total', async () => {
  const dataDir = makeTestFolder();
  const settings = { DATA_DIR: dataDir };
  await keys(settings, 'create --name laptop');
  const database = await openTestDatabase({ dataDir });
  const keyId = (await database.keys.list())[0]?.id ?? '';
  const today = Date.now();
  const dayMs = 86_400_000;
  await storeUsage(database, [
    makeUsageRecord({ keyId, at: today, cachedTokens: 4 }),
    makeUsageRecord({ keyId, at: today, model: 'odd\u001b[2Jone', costUsd: null }),
    makeUsageRecord({ keyId, at: today - 29 * dayMs }),
    makeUsageRecord({ keyId, at: today - 30 * dayMs }),
  ]);
  const { out } = await keys(settings, 'usage laptop');
  const day = new Date(today).toISOString().slice(0, 10);
  expect(out.split('\n').map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    'day model requests tokens in cached tokens out cost in USD',
    expect.stringMatching(/^[- ]+$/),
    `${day} demo/small 1 10 40% 20 0.2500`,
    `${day} odd\ufffd[2Jone 1 10 - 20 unknown`,
    expect.stringMatching(/^20\d\d-\d\d-\d\d demo\/small 1 10 - 20 0\.2500$/),
    'total 3 30 13% 60 0.5000',
    '',
  ]);
  expect((await keys(settings, 'usage laptop --days 31')).out).toContain('total');
  expect((await keys(settings, 'usage laptop --days 1')).out).not.toContain(' 3 ');
});

test('a key is updated, and every command prints JSON', async () => {
  const settings = { DATA_DIR: makeTestFolder() };
  const json = async (given: string) => JSON.parse((await keys(settings, `${given} --json`)).out);
  const created = await json('create --name laptop --rpm 5');
  expect(created).toEqual({
    id: expect.stringMatching(/^key_/),
    name: 'laptop',
    hint: `${created.key.slice(0, 8)}…`,
    models: null,
    requestsPerMinute: 5,
    tokensPerDay: null,
    budget: null,
    pepper: 'current',
    owner: null,
    state: 'active',
    createdAt: expect.stringMatching(/^20.*Z$/),
    expiresAt: null,
    revokedAt: null,
    usedFrom: null,
    usedAt: null,
    key: expect.stringMatching(/^mq_/),
  });
  const { key: _, ...record } = created;
  const change = 'update laptop --name desk --tpd 700 --models a,b/* --expires 2999-12-31';
  const updated = {
    ...record,
    name: 'desk',
    tokensPerDay: 700,
    models: ['a', 'b/*'],
    expiresAt: '3000-01-01T00:00:00.000Z',
  };
  expect(await json(change)).toEqual(updated);
  expect(await json('list')).toEqual({
    page: 1,
    pages: 1,
    total: 1,
    keys: [{ ...updated, usageOf30Days: expect.objectContaining({ requests: 0 }) }],
  });
  const authenticate = await openAuthenticator(settings);
  const expected = { key: { name: 'desk', limits: [{ tokens: 700 }] } };
  expect(await authenticate(created.key)).toMatchObject(expected);
  expect((await json('rotate desk')).key).not.toBe(created.key);
  expect((await json('revoke desk')).state).toBe('revoked');
  expect((await keys(settings, 'update desk --rpm 1')).error).toContain('"desk" is revoked');
});

test('usage of all keys is summed by key, day and model, the dearest first', async () => {
  const dataDir = makeTestFolder();
  const settings = { DATA_DIR: dataDir };
  await keys(settings, 'create --name laptop');
  await keys(settings, 'create --name desk');
  const database = await openTestDatabase({ dataDir });
  const [laptop, desk] = (await database.keys.list()).map(({ id }) => id);
  const at = Date.now();
  await storeUsage(database, [
    makeUsageRecord({ keyId: laptop ?? '', at, costUsd: 1 }),
    makeUsageRecord({ keyId: desk ?? '', at, model: 'demo/large', costUsd: 2 }),
    makeUsageRecord({ keyId: desk ?? '', at: at - 86_400_000, model: 'demo/free', costUsd: null }),
  ]);
  const usage = JSON.parse((await keys(settings, 'usage --json')).out);
  const totals = { ...noUsage, requests: 1, tokensIn: 10, tokensOut: 20 };
  expect(usage.keys).toEqual([
    { id: desk, name: 'desk', ...totals, requests: 2, tokensIn: 20, tokensOut: 40, costUsd: 2 },
    { id: laptop, name: 'laptop', ...totals, costUsd: 1 },
  ]);
  expect(usage.models).toEqual([
    { model: 'demo/large', ...totals, costUsd: 2 },
    { model: 'demo/small', ...totals, costUsd: 1 },
    { model: 'demo/free', ...totals, costUsd: null },
  ]);
  expect(usage.days.map(({ requests }: { requests: number }) => requests)).toEqual([2, 1]);
  expect(usage.total).toEqual({ ...totals, requests: 3, tokensIn: 30, tokensOut: 60, costUsd: 3 });
  const { out } = await keys(settings, 'usage');
  expect(out).toMatch(/^key +requests[^\n]+\n[- ]+\ndesk +2 +20 +- +40 +2\.0000\nlaptop /);
  expect(out).toMatch(/\ntotal +3 +30 +- +60 +3\.0000\n\nday /);
  expect(out).toMatch(/\n\nmodel +requests/);
  expect((await keys(settings, 'usage --days 1')).out).not.toContain('demo/free');
});

test.for([
  ['create --name a --rpm 0', 'Requests a minute: a whole number from 1'],
  ['update nobody --rpm 5', 'There is no key "nobody"'],
  ['revoke nobody', 'There is no key "nobody"'],
] as const)('`%s` is rejected in one line', async ([given, line]) => {
  const dataDir = makeTestFolder();
  await openTestDatabase({ dataDir });
  const { code, out, error } = await keys({ DATA_DIR: dataDir }, given);
  expect([code, out]).toEqual([1, '']);
  expect(error).toContain(line);
  expect(error.replace(/^Database: .*\n/, '').trimEnd()).not.toContain('\n');
});

test('every command names its database, and none creates one that was not asked for', async () => {
  const dataDir = makeTestFolder();
  const path = join(dataDir, 'marquee.db');
  const { code, out, error } = await keys({ DATA_DIR: dataDir }, 'list');
  expect([code, out]).toEqual([1, '']);
  expect(error).toBe(
    `Database: SQLite, ${path}\nThere is no Marquee database yet (SQLite, ${path}). Start the server first, or add --create-database to \`create\`.\n`,
  );
  expect(readdirSync(dataDir)).toEqual([]);
});

test('a directory without write permission is an error of one line', async () => {
  const dataDir = makeTestFolder();
  // Root may write everywhere.
  const as = process.getuid?.() === 0 ? { uid: 65_534 } : {};
  chmodSync(dataDir, 0o555);
  const { code, error } = await startKeys({ DATA_DIR: dataDir }, 'create --name a', as);
  chmodSync(dataDir, 0o755);
  expect(code).toBe(1);
  expect(error).toContain(
    `\nDATA_DIR is ${JSON.stringify(dataDir)}, but this user may not write there.\n`,
  );
});

test('an unreachable database is an error of one line, without its URL', async () => {
  const settings = { DATABASE_URL: 'postgres://canary@127.0.0.1:1/canary', KEY_PEPPER: pepper };
  const { code, error } = await keys(settings, 'list');
  expect(code).toBe(1);
  expect(error).toBe(
    'Database: PostgreSQL, 127.0.0.1:1/canary\nDATABASE_URL points to a database that cannot be reached (ECONNREFUSED).\n',
  );
});
