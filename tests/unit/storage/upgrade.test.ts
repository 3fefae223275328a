import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { noBudget } from '#lib/config/budget.ts';
import type { ComparedEvent } from '#lib/events/changes/change.ts';
import { findMentions } from '#lib/site/notifications/mail/digest/mention-store.ts';
import { findSubscription } from '#lib/site/notifications/mail/subscribing/subscription-store.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { postJson } from '../../support/clients/post-json.ts';
import { makeMember } from '../../support/factories/member-factory.ts';
import { readAuditLog } from '../../support/read-audit-log.ts';
import {
  describeEachEmptyDatabase,
  openTestDatabase,
} from '../../support/servers/each-database.ts';
import { chatPath, startUpstream, toRequestJson } from '../../support/servers/in-process-proxy.ts';
import { startMarqueeInProcess } from '../../support/servers/marquee-server.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';
import { createTestLog } from '../../support/test-log.ts';
import { createVersionOne, openRaw } from '../../support/version-one.ts';
import {
  toVersionOneRows,
  versionOneKey,
  versionOnePepper,
} from '../../support/version-one-rows.ts';

const dayMs = 86_400_000;
const todayMs = Date.now() - (Date.now() % dayMs);
const today = new Date(todayMs).toISOString().slice(0, 10);

async function createWithRows(options: DatabaseOptions): Promise<DatabaseOptions> {
  await createVersionOne(options, toVersionOneRows(todayMs));
  return options;
}

/** All rows of a table after the migrations, each as the texts of its columns. */
async function listRows(
  options: DatabaseOptions,
  table: string,
  columns: string,
): Promise<string[]> {
  const raw = openRaw(options);
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.raw(columns)} from ${sql.table(table)}
  `.execute(raw);
  await raw.destroy();
  return rows.map((row) => Object.values(row).join(' ')).toSorted();
}

const sums =
  'requests, errors, tokens_in, tokens_out, tokens_cached, tokens_cache_written, cost_nano_usd, priced, first_byte_ms, first_bytes, rest_ms, rest_tokens_out, rests';

describeEachEmptyDatabase((createTestDatabase) => {
  test('a database of version 1.0 has the sums of its records, and balances of days alone', async () => {
    const options = await createWithRows(await createTestDatabase());
    await openTestDatabase(options);
    // Of a stream with a first byte, the time after it and the output tokens count as the rest.
    const expected: readonly (readonly [
      table: string,
      columns: string,
      rows: readonly string[],
    ])[] = [
      [
        'marquee_usage_by_key',
        `key_id, day, model, upstream, ${sums}`,
        [
          'key_ada 2025-01-31 north/a  1 1 0 0 0 0 0 0 0 0 0 0 0',
          `key_ada ${today} north/a south 1 0 7 10 0 0 100000000 1 30 1 0 0 0`,
          'key_old 2025-01-31 north/a north 2 0 11 22 4 1 250000000 1 140 2 860 20 1',
          `key_old ${today} north/a south 1 0 100 17 0 0 1000000 1 50 1 0 17 1`,
          `key_old ${today} north/b  1 1 0 0 0 0 0 1 0 0 0 0 0`,
        ],
      ],
      [
        'marquee_usage_by_member',
        `member_id, day, model, upstream, ${sums}`,
        [
          'mbr_ada 2025-01-31 north/a  1 1 0 0 0 0 0 0 0 0 0 0 0',
          `mbr_ada ${today} north/a south 1 0 7 10 0 0 100000000 1 30 1 0 0 0`,
        ],
      ],
      // 10:00 and 23:00 of 2025-01-31.
      [
        'marquee_usage_by_hour',
        `hour, model, upstream, status, ${sums}`,
        [
          '1738317600000 north/a north 200 1 0 1 2 0 0 0 0 100 1 0 0 0',
          '1738364400000 north/a  429 1 1 0 0 0 0 0 0 0 0 0 0 0',
          '1738364400000 north/a north 200 1 0 10 20 4 1 250000000 1 40 1 860 20 1',
          `${todayMs} north/a south 200 2 0 107 27 0 0 101000000 2 80 2 0 17 1`,
          `${todayMs} north/b  502 1 1 0 0 0 0 0 1 0 0 0 0 0`,
        ],
      ],
      [
        'marquee_balances',
        'account, day, tokens, nano_usd, reserved_tokens, reserved_nano_usd',
        [
          'all 2025-01-31 33 250000000 0 0',
          `all ${today} 134 101000000 0 0`,
          'group:staff 2025-01-31 0 0 0 0',
          `group:staff ${today} 17 100000000 0 0`,
          'key:key_ada 2025-01-31 0 0 0 0',
          `key:key_ada ${today} 17 100000000 0 0`,
          'key:key_old 2025-01-31 33 250000000 0 0',
          `key:key_old ${today} 117 1000000 0 0`,
          'member:mbr_ada 2025-01-31 0 0 0 0',
          `member:mbr_ada ${today} 17 100000000 0 0`,
        ],
      ],
      [
        'marquee_keys',
        'id, used_at',
        [`key_ada ${todayMs + 2}`, 'key_idle ', `key_old ${todayMs + 1}`],
      ],
      [
        'marquee_usage',
        'id, reserved_tokens, reserved_nano_usd',
        [1, 2, 3, 4, 5, 6, 7].map((number) => `use_${number} 0 0`),
      ],
    ];
    for (const [table, columns, rows] of expected) {
      expect(await listRows(options, table, columns), table).toEqual(rows.toSorted());
    }
  });

  test('keys, members, groups and sessions of version 1.0 work', async () => {
    const database = await openTestDatabase(await createWithRows(await createTestDatabase()));
    const { keys, members, groups, sessions } = database;
    const adasBudget = { ...noBudget, tokensPerDay: 1000, nanoUsdPerMonth: 5e9 };
    const staff = { name: 'staff', budget: { ...noBudget, nanoUsdPerMonth: 200e9 } };
    expect(await keys.list()).toMatchObject([
      { id: 'key_old', owner: null, tokensPerDay: 5000, models: null, usedFrom: '203.0.113.0/24' },
      {
        id: 'key_ada',
        models: ['lantern-demo/*'],
        requestsPerMinute: 30,
        budget: { ...noBudget, tokensPerDay: 500 },
        owner: {
          id: 'mbr_ada',
          claims: { groups: ['members'] },
          isDisabled: false,
          budget: adasBudget,
          group: staff,
        },
      },
      { id: 'key_idle', revokedAt: 1738390000000, expiresAt: 1738400000000 },
    ]);
    expect(await keys.update('key_old', { tokensPerDay: 6000 })).toBe('updated');
    expect(await keys.find('name', 'old')).toMatchObject({ tokensPerDay: 6000 });
    expect(await members.find('mbr_bo')).toMatchObject({ disabledAt: 1738310000000, claims: {} });
    expect(await groups.list()).toEqual([{ ...staff, createdAt: 1738300000000 }]);
    expect(await sessions.find('hash-of-a-session')).toMatchObject({
      session: { id: 'ses_1', device: 'Firefox on Linux', usedAt: 1738310000000 },
      member: { id: 'mbr_ada', budget: adasBudget },
    });
    // Who comes back after deleting the account gets its id, budget and group.
    const cy = makeMember({ id: 'mbr_new', subject: 'cy' });
    expect(await members.save(cy, ['identity-of-cy'])).toMatchObject({
      id: 'mbr_cy',
      budget: { ...noBudget, tokensPerDay: 7 },
      group: staff,
    });
  });

  test('rejections, webhooks, mails and the audit log of version 1.0 work', async () => {
    const database = await openTestDatabase(await createWithRows(await createTestDatabase()));
    const { rejections, webhooks, deliveries, auditLog, members, run } = database;
    expect(await rejections.sum('2025-01-01', 'key_old')).toEqual([
      { status: 429, code: 'rate_limit_exceeded', count: 3 },
    ]);
    expect(await webhooks.list()).toMatchObject([
      { id: 'wh_1', types: ['event.*', 'alert.*'], filter: 'format=online', state: 'active' },
    ]);
    expect(await deliveries.list('wh_1', 10)).toMatchObject([
      { id: 'msg_2', attempts: 1, outcome: null },
      { id: 'msg_1', outcome: 'delivered' },
    ]);
    expect(await deliveries.sendAgain('msg_1', 'wh_1')).toBe(true);
    const limits = (['webhook', 'mail'] as const).map((kind) => [kind, 9] as const);
    const claim = { owner: 'outbox', limits, now: todayMs, leaseMs: 45_000 };
    const claimed = (await deliveries.claim(claim)).map(({ id }) => id);
    expect(claimed.toSorted()).toEqual(['msg_1', 'msg_3']);
    expect(await run((db) => findSubscription(db, 'sub_1'))).toMatchObject({
      address: 'reader@mail.example',
      filters: '?format=online',
      timeZone: 'Europe/Lisbon',
    });
    const mentions = await run((db) => findMentions(db, 'sub_1'));
    expect([...mentions]).toMatchObject([['recLantern', { reasons: ['new', '28'], moves: 1 }]]);
    await members.setDisabled('mbr_ada', true);
    expect(await readAuditLog(database)).toMatchObject([
      { action: 'member.disabled' },
      { action: 'key.created', actor: 'mbr_ada', newValues: { models: '["lantern-demo/*"]' } },
      { action: 'member.budget', actor: null, oldValues: { budget: null } },
    ]);
    expect(await auditLog.verify()).toMatchObject({ entries: 3, problems: [] });
  });

  test('the history of events goes on where version 1.0 has left it', async () => {
    const database = await openTestDatabase(await createWithRows(await createTestDatabase()));
    const { history, changes, slugs, tables } = database;
    const stored = await database.run((db) =>
      db.selectFrom('marquee_event_history').select('event').executeTakeFirstOrThrow(),
    );
    const options = {
      table: 'app/Events',
      reading: 'later',
      onChanges: async () => {},
      log: createTestLog(),
    };
    // As this version reads the same row.
    const event: ComparedEvent = { ...JSON.parse(stored.event), startDate: '2026-12-11' };
    const time = { day: today, transitionAtMs: todayMs, nextTransitionAtMs: todayMs + 1 };
    const read = { events: [event], readAtMs: todayMs, ...time };
    const after = await history.record(read, options);
    expect(after).toMatchObject({ position: 1, revisions: new Map([['recLantern', 3]]) });
    const moved = { ...event, startDate: '2026-12-10' };
    await history.record({ ...read, events: [moved] }, options);
    expect((await changes.list({ start: null, limit: 10, types: [] }))?.changes).toMatchObject([
      { id: '1', type: 'event.added', slug: 'lantern-jam' },
      { id: '2', type: 'event.changed', fields: ['startDate'], old: { startDate: '2026-12-11' } },
    ]);
    await slugs.assign({ events: [event], readAtMs: todayMs });
    expect((await slugs.find('lamp-jam'))?.eventId).toBe('recLantern');
    expect((await slugs.find('lantern-jam'))?.eventId).toBe('recLantern');
    expect(await tables.find(options.table)).toEqual({ events: 1, leftOut: 2, accepted: ['Name'] });
  });

  test('records of version 1.0 are indexed as others are: each index costs every request a page', async () => {
    const options = await createWithRows(await createTestDatabase());
    await openTestDatabase(options);
    const indexes =
      options.databaseUrl === null
        ? await listRows(options, 'sqlite_schema', 'name, tbl_name, type')
        : await listRows(options, 'pg_indexes', `indexname, tablename, 'index'`);
    const ofUsage = indexes.filter((index) => index.endsWith(' marquee_usage index'));
    expect(ofUsage.map((index) => index.split(' ')[0])).toEqual(
      [
        options.databaseUrl === null ? 'sqlite_autoindex_marquee_usage_1' : 'marquee_usage_pkey',
        'marquee_usage_day_at',
        'marquee_usage_failed_at',
        'marquee_usage_key_at',
        'marquee_usage_member_at',
        'marquee_usage_reply_id',
        'marquee_usage_reported',
        'marquee_usage_request_id',
        'marquee_usage_session',
        'marquee_usage_uncounted',
      ].toSorted(),
    );
  });

  test('a key of version 1.0 works, with what it has used', async () => {
    const options = await createWithRows(await createTestDatabase());
    const { modelServer, settings } = await startUpstream(null);
    onTestFinished(modelServer.close);
    await using server = await startMarqueeInProcess({
      ...settings,
      KEY_PEPPER: versionOnePepper,
      ...(options.databaseUrl === null
        ? { DATA_DIR: options.dataDir }
        : { DATABASE_URL: options.databaseUrl, DATA_DIR: makeTestFolder() }),
    });
    const view = async () => {
      const authorization = `Bearer ${versionOneKey}`;
      const response = await fetch(`${server.url}/proxy/v1/key`, { headers: { authorization } });
      return (await response.json()).data;
    };
    // Until the migration has ended, which takes a while on a busy machine, keys get a 503.
    await expect.poll(view).toBeDefined();
    const before = await view();
    expect(before).toMatchObject({
      name: 'old',
      usage: 0.251,
      usage_daily: 0.001,
      usage_monthly: 0.001,
      tokens_per_day: { used: 117, limit: 5000, remaining: 4883 },
      tokens: { daily: 117, weekly: 117, monthly: 117, total: 150 },
      tokens_cached: { daily: 0, weekly: 0, monthly: 0, total: 4 },
      tokens_cache_written: { daily: 0, weekly: 0, monthly: 0, total: 1 },
    });
    const request = toRequestJson(chatPath, 'lantern-demo/wick-3-mini');
    const response = await postJson(server.url + chatPath, versionOneKey, request);
    const { usage } = await response.json();
    expect(response.status).toBe(200);
    await expect.poll(view).toMatchObject({
      tokens: { daily: 117 + usage.total_tokens, total: 150 + usage.total_tokens },
    });
  });
});
