import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createDoctorCommand } from '#lib/cli/doctor/doctor.ts';
import { examineWorkers } from '#lib/cli/doctor/examine-machine.ts';
import { toVerdict } from '#lib/cli/doctor/finding.ts';
import { type Environment, loadConfig } from '#lib/config/config.ts';
import { toReadTableName } from '#lib/events/source/airtable/table-guard.ts';
import { makeUsageRecord, uncountable } from '../../../support/factories/key-factory.ts';
import { startTestModels } from '../../../support/models/test-models.ts';
import { callCommand } from '../../../support/programs/call-command.ts';
import { openTestDatabase } from '../../../support/servers/each-database.ts';
import { startTable, toTableSettings } from '../../../support/servers/marquee-server.ts';
import { mountSmallDisk } from '../../../support/servers/small-disk.ts';
import { storeOpenUsage, storeUsage } from '../../../support/store-usage.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { makeRecord } from '../../../support/upstreams/upstream.ts';
import { createVersionOne } from '../../../support/version-one.ts';
import { toVersionOneRows } from '../../../support/version-one-rows.ts';

/** `npm run doctor` in a built checkout, with its own settings: its exit code and lines. */
async function doctor(
  settings: Environment,
  options: readonly string[] = [],
): Promise<{ code: number; lines: string[] }> {
  const root = makeTestFolder();
  mkdirSync(join(root, '.next'));
  writeFileSync(join(root, '.next/BUILD_ID'), 'build-of-this-test\n');
  const { code, out } = await callCommand(createDoctorCommand({ root }), options, settings);
  return { code, lines: out.trimEnd().split('\n') };
}

test('an instance that has all it needs is ready, and nothing is created', async () => {
  const [table, models] = [await startTable(), await startTestModels({ key: 'k' })];
  onTestFinished(table.close);
  onTestFinished(models.close);
  const dataDir = makeTestFolder();
  await openTestDatabase({ dataDir });
  const { code, lines } = await doctor({
    ...toTableSettings(table),
    AI_UPSTREAM_URL: models.url,
    AI_UPSTREAM_KEY: 'k',
    DATA_DIR: dataDir,
    SITE_URL: 'https://events.example',
  });
  expect(lines[1]).toMatch(/^✓ build: build-of-this-test, made at 20/);
  expect(lines).toContain(`✓ database: SQLite, ${dataDir}/marquee.db: 0 keys`);
  expect(lines.join('\n')).toContain('\n✓ migrations: 001, 002-ledger');
  expect(lines).toContain(`✓ clock: agrees with ${new URL(table.url).host}`);
  expect(lines).toContain('✓ budgets: none is at its end');
  expect(lines).toContain('✓ columns: complete');
  expect(lines.join('\n')).toContain(
    '✓ upstream: “default” (chat, embeddings, responses) lists 8 language',
  );
  expect(lines.at(-1)).toMatch(/^Ready/);
  expect(code).toBe(0);
});

test.for([
  [1, 1, 'ok'],
  [1, 2, 'warning'],
  [2, 4, 'ok'],
] as const)('%s workers on %s cores: %s', ([workers, cores, level]) => {
  expect(examineWorkers(workers, cores)).toMatchObject({ level });
});

test('what a column could not be read for is counted, with three examples and what to write', async () => {
  const urls = ['soon', 'soon', 'tba!', 'ask us', 'none yet'];
  const table = await startTable({ records: urls.map((URL, index) => makeRecord({ URL }, index)) });
  onTestFinished(table.close);
  const { lines } = await doctor(toTableSettings(table));
  const row = lines.indexOf('  URL, 5 cells repaired: no URL; ignored.');
  const examples = lines[row + 1] ?? '';
  expect(examples).toMatch(/^ {4}Such as (?:“[^”]+” in rec\d+(?:, |\. )){3}Write the whole URL/);
  expect(examples.split('“soon”').length).toBeLessThanOrEqual(2);
});

test('what is missing is said, and named again in the last line', async () => {
  const dataDir = makeTestFolder();
  chmodSync(dataDir, 0o755);
  const { code, lines } = await doctor({
    AIRTABLE_API_URL: 'http://127.0.0.1:1',
    AIRTABLE_TOKN: 'canary',
    DATABASE_URL: 'postgres://canary@127.0.0.1:1/marquee',
    KEY_PEPPER: 'pepper-of-this-test-0123456789abc',
    DATA_DIR: dataDir,
  });
  for (const line of [
    '✗ database: DATABASE_URL points to a database that cannot be reached (ECONNREFUSED).',
    `! DATA_DIR: ${dataDir} can be read by other users: \`chmod 700 ${dataDir}\`.`,
    '! settings: AIRTABLE_TOKN is not a setting. Did you mean AIRTABLE_TOKEN?',
    '✗ table: AIRTABLE_TOKEN is not set.',
  ]) {
    expect(lines).toContain(line);
  }
  expect(lines.join('\n')).not.toContain('canary');
  expect(lines.at(-1)).toBe('Not ready: database, table.');
  expect(code).toBe(1);
  expect(statSync(dataDir).mode & 0o777).toBe(0o755);
});

test('what the next start would migrate is said, and is not done', async () => {
  const dataDir = makeTestFolder();
  await createVersionOne({ databaseUrl: null, dataDir });
  const lines = (await doctor({ DATA_DIR: dataDir })).lines.join('\n');
  expect(lines).toContain(`✓ database: SQLite, ${dataDir}/marquee.db\n`);
  expect(lines).toMatch(
    /^! migrations: 001; the next start applies 002-ledger.*: see \/docs\/operate\/upgrades$/m,
  );
  using file = new DatabaseSync(join(dataDir, 'marquee.db'));
  expect(file.prepare('select name from marquee_migrations').all()).toEqual([
    { name: '001-af6a4bb102c4' },
  ]);
});

test('stored values that cannot be read are named, since they allow nothing', async () => {
  const dataDir = makeTestFolder();
  const rows = toVersionOneRows(Date.now());
  await createVersionOne({ databaseUrl: null, dataDir }, [
    ...rows,
    `update marquee_keys set budget = '{"tokensPerDay":"many"}' where id = 'key_ada'`,
    `update marquee_members set claims = '{' where id = 'mbr_bo'`,
  ]);
  await openTestDatabase({ dataDir });
  const { lines } = await doctor({ DATA_DIR: dataDir });
  const advice = 'cannot be read, so that it allows nothing: set it again';
  expect(lines.filter((line) => line.includes('stored values: '))).toEqual([
    `! stored values: budget of key_ada in marquee_keys ${advice}`,
    `! stored values: claims of mbr_bo in marquee_members ${advice}`,
  ]);
});

test('what waits to be delivered is counted, and webhooks that fail are named', async () => {
  const dataDir = makeTestFolder();
  const database = await openTestDatabase({ dataDir });
  const { webhooks, deliveries } = database;
  const create = (name: string) =>
    webhooks.create({
      name,
      url: 'https://hooks.example/',
      types: ['event.*'],
      filter: '',
      seed: { salt: 'salt', pepperId: 'pepper' },
    });
  const [good, failing, gone] = [await create('Good'), await create('Bad\n'), await create('Gone')];
  const at = Date.parse('2026-11-20T10:00:00Z');
  await webhooks.noteFailure(failing.id, { at, isGone: false }, async () => {});
  const message = { kind: 'webhook', target: good.id, payload: '{}' } as const;
  const mail = { ...message, kind: 'mail', target: 'reader' } as const;
  await deliveries.add([message, message, mail], Date.now());
  const deliveriesOf = async () =>
    (await doctor({ DATA_DIR: dataDir })).lines.find((line) => line.includes(' deliveries: '));
  const counts = '3 webhooks; waiting: 2 deliveries to them, 0 pings, 1 email';
  const bad = 'The webhook “Bad\ufffd” has been failing since 2026-11-20 10:00 UTC.';
  expect(await deliveriesOf()).toBe(`! deliveries: ${counts}; ${bad}`);
  await webhooks.remove(failing.id);
  await webhooks.noteFailure(gone.id, { at, isGone: true }, async () => {});
  expect(await deliveriesOf()).toBe(
    `! deliveries: ${counts.replace('3', '2')}; The webhook “Gone” is disabled, because nothing could be delivered.`,
  );
  await webhooks.remove(gone.id);
  expect(await deliveriesOf()).toBe(
    '✓ deliveries: 1 webhook; waiting: 2 deliveries to them, 0 pings, 1 email',
  );
  await deliveries.add([mail], at);
  expect(await deliveriesOf()).toBe(
    '! deliveries: 1 webhook; waiting: 2 deliveries to them, 0 pings, 2 emails; 1 email waits since 2026-11-20 10:00 UTC.',
  );
});

test('a full disk makes it not ready', async (context) => {
  const disk = mountSmallDisk(context, 1);
  disk.fill();
  const { lines } = await doctor({ DATA_DIR: disk.path });
  const shown = JSON.stringify(disk.path);
  expect(lines).toContain(`✗ DATA_DIR: DATA_DIR is ${shown}, but its disk is full.`);
  expect(lines.at(-1)).toMatch(/^Not ready: .*DATA_DIR/);
});

test('a renamed column is named, until the operator accepts it for all instances', async () => {
  const records = () =>
    Array.from({ length: 9 }, (_, index) => makeRecord({ Name: '' }, index + 1));
  const table = await startTable({ records });
  const dataDir = makeTestFolder();
  const database = await openTestDatabase({ dataDir });
  onTestFinished(table.close);
  const settings = { ...toTableSettings(table), DATA_DIR: dataDir };
  const tableName = toReadTableName(loadConfig(settings));
  await database.tables.save(tableName, { events: 9, leftOut: 0, accepted: [] });
  const problem =
    '✗ table: Name is empty or invalid in 9 of 9 rows: the last events stay. Rename the column back, name it in EVENTS_COLUMNS, or run `npm run doctor -- --accept-table`.';
  expect((await doctor(settings)).lines).toContain(problem);
  expect(await doctor(settings, ['--accept-table'])).toEqual({
    code: 0,
    lines: [expect.stringContaining('accepted: Name is empty or invalid in 9 of 9 rows')],
  });
  expect((await doctor(settings)).lines).not.toContain(problem);
  expect((await doctor(settings, ['--accept-table'])).lines).toEqual([
    '✓ table: there is nothing to accept',
  ]);
});

test('with --json all of it is JSON, and so are the rows with problems, which are grouped', async () => {
  const records = () => [makeRecord({}, 1), makeRecord({ URL: 'not a URL' }, 2)];
  const table = await startTable({ records });
  onTestFinished(table.close);
  const settings = { ...toTableSettings(table), DATA_DIR: makeTestFolder() };
  const { lines } = await doctor(settings, ['--json']);
  const { verdict, findings } = JSON.parse(lines.join('\n'));
  expect(verdict).toMatch(/eady/);
  expect(findings).toContainEqual(
    expect.objectContaining({
      name: 'rows',
      level: 'warning',
      rows: [
        expect.objectContaining({
          column: 'URL',
          done: 'repaired',
          count: 1,
          rows: [expect.objectContaining({ value: 'not a URL' })],
        }),
      ],
    }),
  );
});

test('the last line names each kind of problem once, and warnings only if nothing is worse', () => {
  const ok = { name: 'a', level: 'ok', text: '' } as const;
  const warning = { name: 'b', level: 'warning', text: '' } as const;
  expect(toVerdict([ok])).toBe('Ready.');
  expect(toVerdict([ok, warning, warning])).toBe('Ready, with warnings: b.');
  expect(toVerdict([{ ...ok, level: 'problem' }, warning])).toBe('Not ready: a.');
});

test('--books compares the balances with their usage, and the exit code says whether they agree', async () => {
  const dataDir = makeTestFolder();
  const settings = { DATA_DIR: dataDir };
  const database = await openTestDatabase({ dataDir });
  await storeUsage(database, [makeUsageRecord({ costUsd: 0.5 })]);
  const balanced = await doctor(settings, ['--books']);
  const match = /^✓ books: SQLite, .*: all balances and sums match the usage records$/;
  expect(balanced).toEqual({ code: 0, lines: [expect.stringMatching(match)] });
  using file = new DatabaseSync(join(dataDir, 'marquee.db'));
  file.exec("update marquee_balances set tokens = 31 where account = 'all'");
  const drifted = await doctor(settings, ['--books']);
  expect(drifted.code).toBe(1);
  expect(drifted.lines.map((line) => line.replaceAll(/ +/g, ' '))).toContain(
    'marquee_balances all 2026-03-10 tokens 31 30',
  );
  const repaired = await doctor(settings, ['--books', '--repair']);
  expect(repaired.code).toBe(0);
  expect(repaired.lines.join(' ')).toContain('1 balance or sum differed');
  expect(await doctor(settings, ['--books'])).toEqual(balanced);
});

test('--books names usage that was set aside, or is of a lost process', async () => {
  const dataDir = makeTestFolder();
  const database = await openTestDatabase({ dataDir });
  await storeUsage(database, [makeUsageRecord({ id: 'odd', ...uncountable })]);
  await storeOpenUsage(database, makeUsageRecord());
  using file = new DatabaseSync(join(dataDir, 'marquee.db'));
  file.exec('update marquee_usage set lease_until = 1000');
  const { code, lines } = await doctor({ DATA_DIR: dataDir }, ['--books']);
  expect(code).toBe(1);
  expect(lines.join('\n')).toMatch(/✗ set aside: 1 record cannot be counted/);
  expect(lines.join('\n')).toMatch(/odd +unknown/);
  expect(lines.join('\n')).toMatch(/! waiting: 1 request of a lost process/);
});

test('what is no option is rejected with the usage, and --help explains each', async () => {
  const doctorOf = (...args: string[]) => callCommand(createDoctorCommand({ root: '' }), args, {});
  const usage = 'Usage: npm run doctor -- [--books [--repair] | --accept-table] [--json]';
  const error = `Unknown option '--colour'. ${usage}\n`;
  expect(await doctorOf('--colour')).toEqual({ code: 1, out: '', error });
  expect(await doctorOf('books')).toEqual({ code: 1, out: '', error: `${usage}\n` });
  const help = await doctorOf('--help');
  expect(help).toMatchObject({ code: 0, error: '' });
  for (const text of [usage, '\n  --books  ', '\n  --json ']) expect(help.out).toContain(text);
});
