import { expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { loadConfig } from '#lib/config/config.ts';
import type { Database } from '#lib/database.ts';
import { findProblems } from '#lib/site/problems/find-problems.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import { makeKeyRecord, makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { storeRejections, storeUsage } from '../../../support/store-usage.ts';

const now = Date.now();
const minuteMs = 60_000;

type Parts = Parameters<typeof findProblems>[0];

/** All is well, and known. */
function makeParts(database: Database): Parts {
  return {
    config: loadConfig({ TOTAL_BUDGET: '1 USD/month' }),
    database,
    health: { readReadiness: async () => ({ status: 'ready', reasons: [], warnings: [] }) },
    isOverloaded: false,
    upstreams: [makeUpstream()],
    tableStatus: {
      lastRead: { readAtMs: now, events: 9, repairs: {}, problems: [] },
      lastFailure: null,
      isFailing: false,
    },
    findCallQuota: async () => ({ used: 5, projected: 9, callsMax: null, isNearlyUsed: false }),
    examineMigrations: async () => ({ applied: ['001'], missing: [] }),
    usageWaiting: 0,
    security: { findLastRejection: () => null },
    now,
  };
}

function makeUpstream(): Parts['upstreams'][number] {
  return {
    name: 'north',
    breaker: 'closed',
    circuits: [],
    openCalls: 0,
    lastFailure: null,
    protocols: ['chat'],
    models: ['demo/small'],
    listedAtMs: now,
    fields: {},
    credit: null,
  };
}

async function find(parts: Parts) {
  const found = await findProblems(parts);
  return {
    problems: found.flatMap(({ problems }) => problems),
    unknown: found.flatMap(({ name, unknown }) => (unknown === null ? [] : `${name}: ${unknown}`)),
  };
}

const whatOf = async (parts: Parts) => (await find(parts)).problems.map(({ what }) => what);

describeEachDatabase((createTestDatabase) => {
  const open = async () => openTestDatabase(await createTestDatabase());

  test('nothing is wrong where all is well', async () => {
    expect(await find(makeParts(await open()))).toEqual({ problems: [], unknown: [] });
  });

  test('budgets of the site and of groups, and keys that were rejected today', async () => {
    const database = await open();
    const parts = makeParts(database);
    await database.groups.create('Night & day', parseBudget('2 USD/week'));
    await database.groups.create('Idle', parseBudget('2 USD/week'));
    const key = { id: 'key_1', name: 'laptop' };
    await database.keys.insert(makeKeyRecord(key));
    const used = { at: now, keyId: 'key_1', memberId: 'mbr_1', groupName: 'Night & day' };
    await storeUsage(database, [makeUsageRecord({ ...used, costUsd: 1.7 })]);
    const rejection = { keyId: 'key_1', status: 402, code: 'insufficient_quota', count: 3 };
    await storeRejections(database, [
      { ...rejection, at: now },
      { ...rejection, keyId: 'key_2', at: now - 86_400_000 },
      { ...rejection, keyId: 'key_3', at: now, status: 429, code: 'rate_limit_exceeded' },
    ]);
    const { problems } = await find(parts);
    expect(problems).toMatchObject([
      {
        what: 'The dollar budget of the site for the month is used up: its requests are rejected.',
        href: '/admin/usage',
      },
      {
        what: 'The dollar budget of the group “Night & day” for the week is 80% used.',
        href: '/admin/group?name=Night+%26+day',
      },
      { what: expect.stringMatching(/used up\. Keys: “laptop”\.$/) },
    ]);
  });

  test('deliveries that are late count, those that are not due do not', async () => {
    const database = await open();
    const parts = makeParts(database);
    const at = (await database.readClock()) - 10 * minuteMs;
    const ping = { kind: 'ping', target: 'hub', payload: '/feed.xml' } as const;
    const mail = { kind: 'mail', target: 'mail a', payload: '{}' } as const;
    await database.deliveries.add([{ ...ping, notBefore: at + 60 * minuteMs }], at);
    await database.deliveries.add([mail], at + 9 * minuteMs);
    expect(await whatOf(parts)).toEqual([]);
    await database.deliveries.add([mail, mail], at);
    const since = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
    expect((await find(parts)).problems).toMatchObject([
      {
        what: `2 emails wait since ${since} UTC.`,
        href: '/admin/deliveries?state=waiting&kind=mail&sort=oldest',
      },
    ]);
  });

  test('each part says what is wrong with it', async () => {
    const parts = makeParts(await open());
    const lastFailure = { atMs: Date.parse('2026-03-20T12:00:00Z'), reason: 'a timeout' };
    const upstream = { ...makeUpstream(), lastFailure };
    const broken: Parts = {
      ...parts,
      isOverloaded: true,
      upstreams: [
        { ...upstream, breaker: 'open' },
        { ...upstream, name: 'south', circuits: ['demo/small'] },
      ],
      health: {
        readReadiness: async () => ({
          status: 'ready',
          reasons: [],
          warnings: [
            { check: 'disk', reason: 'DATA_DIR has only 12 MB free.' },
            { check: 'keys', reason: 'No key works.' },
            { check: 'another', reason: 'It is new.' },
          ],
        }),
      },
      tableStatus: {
        lastRead: { readAtMs: now, events: 9, repairs: { 'leftOut.no_name': 2 }, problems: [] },
        lastFailure: null,
        isFailing: false,
      },
      findCallQuota: async () => ({ used: 5, projected: 9, callsMax: 10, isNearlyUsed: true }),
      examineMigrations: async () => ({ applied: [], missing: ['014-lists'] }),
      usageWaiting: 1,
      security: {
        findLastRejection: () => ({
          rejection: { code: 'NO_RULE_ADMITS', rule: 'hd=makers.example' },
          at: now - minuteMs,
        }),
      },
    };
    expect(await whatOf(broken)).toEqual([
      'The upstream north is paused after several failures. Last failure: a timeout, 2026-03-20 12:00 UTC.',
      'The upstream south fails with demo/small. Last failure: a timeout, 2026-03-20 12:00 UTC.',
      '1 record of usage waits to be stored.',
      '2 rows of the events table cannot be shown.',
      expect.stringMatching(/^Airtable’s calls are running out: .*10/),
      expect.stringMatching(/no rule of MEMBERS_ALLOWED .* hd=makers.example .*UTC\)$/),
      'The database lacks migrations: 014-lists.',
      'No key works.',
      'DATA_DIR has only 12 MB free.',
      'It is new.',
      'This instance is overloaded: pages and the AI proxy respond 503.',
    ]);
    const reason = 'rate_limited (429)';
    const unreadable: Parts = {
      ...parts,
      health: {
        readReadiness: async () => ({
          status: 'not ready',
          reasons: [{ check: 'events', reason }],
          warnings: [],
        }),
      },
      examineMigrations: () =>
        Promise.reject(new StorageError('It is newer.', { code: 'OTHER_SCHEMA' })),
    };
    const expected = [`The events table cannot be read: ${reason}`, 'It is newer.'];
    expect(await whatOf(unreadable)).toEqual(expected);
    // A rejection of the day before yesterday is not of now.
    const at = now - 2 * 86_400_000;
    const security: Parts['security'] = {
      findLastRejection: () => ({ rejection: { code: 'NO_RULE_ADMITS', rule: null }, at }),
    };
    expect(await whatOf({ ...parts, security })).toEqual([]);
  });

  test('what cannot be known is not called right', async () => {
    const parts = makeParts(await open());
    const unknown: Parts = {
      ...parts,
      upstreams: [{ ...makeUpstream(), models: null }],
      tableStatus: { lastRead: null, lastFailure: null, isFailing: false },
      examineMigrations: () =>
        Promise.reject(new StorageError('It does not respond.', { code: 'X' })),
      database: {
        ...parts.database,
        webhooks: { list: () => Promise.reject(new TypeError('a secret')) },
      },
    };
    expect(await find(unknown)).toEqual({
      problems: [],
      unknown: [
        'Upstreams: This instance has not reached north yet.',
        'Events table: This instance has not read the table yet.',
        'Deliveries: It could not be checked.',
        'Database: It does not respond.',
      ],
    });
  });
});
