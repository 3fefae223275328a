import { expect, test } from 'vitest';
import { readListQuery, toListSearch } from '#lib/accounts/lists/list-query.ts';
import { respondWithList } from '#lib/accounts/lists/list-view.ts';
import { loadChoices, requestsOfMember } from '#lib/accounts/lists/request-list.ts';
import { makeKeyRecord, makeUsageRecord } from '../../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../../support/factories/member-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { storeRejections, storeUsage } from '../../../support/store-usage.ts';

const at = Date.parse('2026-03-10T23:59:59.999Z');
const ofAda = { memberId: 'mbr_ada', keyId: 'key_laptop' };

describeEachDatabase((createTestDatabase) => {
  async function openWithRequests() {
    const database = await openTestDatabase(await createTestDatabase());
    await database.members.save(makeMember());
    await database.members.save(makeMember({ id: 'mbr_robin', subject: 'robin' }));
    const owner = makeKeyOwner();
    await database.keys.insert(
      makeKeyRecord({ id: 'key_laptop', name: '=cmd|’ /C calc’!A0', owner }),
    );
    await database.keys.insert(
      makeKeyRecord({ id: 'key_robin', owner: makeKeyOwner({ id: 'mbr_robin' }) }),
    );
    await storeUsage(database, [
      makeUsageRecord({ ...ofAda, id: 'dear', at, costUsd: 0.1 + 0.2, requestId: 'req_1' }),
      makeUsageRecord({ ...ofAda, id: 'tiny', at: at - 1, costUsd: 1e-9, costSource: 'reported' }),
      makeUsageRecord({
        ...ofAda,
        id: 'unknown',
        at: at - 2,
        costUsd: null,
        model: '@vendor/a,"b"',
        cachedTokens: 4,
        isEstimated: true,
      }),
      makeUsageRecord({
        ...ofAda,
        id: 'failed',
        at: at + 1,
        status: 502,
        errorCode: 'upstream_error',
        firstByteMs: null,
        session: '+codex-1',
      }),
      makeUsageRecord({
        id: 'of-robin',
        memberId: 'mbr_robin',
        keyId: 'key_robin',
        at,
        requestId: 'req_1',
      }),
    ]);
    await storeRejections(database, [
      { ...ofAda, at, status: 429, code: 'rate_limit_exceeded', count: 12 },
      {
        ...ofAda,
        id: 'spent',
        at: at - 60_000,
        status: 402,
        code: 'insufficient_quota',
        reachedLimit: 'dollars per day of the key',
        model: '',
        requestId: 'req_1',
        durationMs: 2,
        count: 1,
      },
      { keyId: 'key_robin', memberId: 'mbr_robin', at, status: 403, code: 'of_robin', count: 1 },
    ]);
    return database;
  }

  type Parameters = Record<string, string>;

  async function list(parameters: Parameters, memberId = 'mbr_ada') {
    const database = await openWithRequests();
    const source = { database, memberId, now: at };
    const query = readListQuery(requestsOfMember, parameters, at);
    const [page, choices] = [
      await requestsOfMember.load(source, query),
      await loadChoices(source, query),
    ];
    return { ...page, ...choices, requests: page.rows.map(({ row }) => row) };
  }

  const toIds = ({ requests }: Awaited<ReturnType<typeof list>>) => requests.map(({ id }) => id);

  test('a member sees their own requests, what they can be filtered by, and what was rejected', async () => {
    const all = await list({});
    expect(toIds(all).filter((id) => id.length < 10)).toEqual([
      'failed',
      'dear',
      'tiny',
      'unknown',
      'spent',
    ]);
    expect(all.requests).toHaveLength(5 + 10);
    expect([all.before, all.after]).toEqual([null, null]);
    expect(all.keys.map(({ id }) => id)).toEqual(['key_laptop']);
    expect(all.models).toEqual(['@vendor/a,"b"', 'demo/small']);
    expect(all.rejections).toMatchObject([
      { keyId: 'key_laptop', status: 429, code: 'rate_limit_exceeded', count: 12 },
      { keyId: 'key_laptop', status: 402, count: 1 },
    ]);
  });

  test('rejected requests are listed by their status, and counted beside', async () => {
    const { requests, rejections } = await list({ status: '402' });
    expect(requests).toMatchObject([{ id: 'spent', reached_limit: 'dollars per day of the key' }]);
    expect(rejections).toMatchObject([{ status: 402, count: 1 }]);
    const tooMany = await list({ status: '429' });
    expect(tooMany.requests.map(({ status }) => status)).toEqual(Array(10).fill(429));
    expect(tooMany.rejections).toMatchObject([{ status: 429, count: 12 }]);
    expect((await list({ status: 'ok' })).rejections).toEqual([]);
  });

  test('all requests of a member with an id are found, and none of others', async () => {
    expect(toIds(await list({ request: ' req_1 ' }))).toEqual(['dear', 'spent']);
    expect(toIds(await list({ request: 'req_1', key: 'key_robin' }))).toEqual([]);
    expect(toIds(await list({ request: 'req_1' }, 'mbr_robin'))).toEqual(['of-robin']);
    expect(toIds(await list({ request: 'req_1' }, 'mbr_new'))).toEqual([]);
  });

  test('the last millisecond of a day (UTC) is part of it, and the next one is not', async () => {
    const ok = { status: 'ok' };
    expect(toIds(await list({ day: '2026-03-10', ...ok }))).toEqual(['dear', 'tiny', 'unknown']);
    expect(toIds(await list({ day: '2026-03-11' }))).toEqual(['failed']);
    const none = await list({ day: '2026-03-09' });
    expect([none.requests, none.rejections]).toEqual([[], []]);
  });

  test('a page starts after the last request of the one before, and where it cannot be read is the first', async () => {
    const source = { database: await openWithRequests(), memberId: 'mbr_ada' };
    const load = async (values: Parameters) => {
      const query = readListQuery(requestsOfMember, { status: 'ok', ...values }, at);
      const { rows, before, after } = await requestsOfMember.load(source, { ...query, limit: 2 });
      return { ids: rows.map(({ row }) => row.id), before, after };
    };
    const first = await load({});
    const after = `${at - 1}.tiny`;
    expect(first).toEqual({
      ids: ['dear', 'tiny'],
      before: null,
      after: { kind: 'after', cursor: after },
    });
    const start = { kind: 'offset', offset: 0 };
    expect(await load({ after })).toEqual({ ids: ['unknown'], before: start, after: null });
    expect((await load({ after: `${at - 1}.` })).ids).toEqual(['unknown']);
    for (const text of ['', 'x.y', '1e9.a', `${'9'.repeat(16)}.a`, '1.a b']) {
      expect(await load({ after: text }), text).toEqual(first);
    }
  });

  test('the key of somebody else shows nothing, and neither does their id', async () => {
    const ofRobin = { key: 'key_robin' };
    const other = await list(ofRobin);
    expect([other.requests, other.rejections]).toEqual([[], []]);
    const database = await openWithRequests();
    const file = await respondWithList(
      requestsOfMember,
      { database, memberId: 'mbr_ada' },
      ofRobin,
    );
    expect((await file.text()).trim().split('\r\n')).toHaveLength(1);
  });

  test('the file has each request, no formula, no exponent, and no cost that is unknown', async () => {
    const database = await openWithRequests();
    const file = await respondWithList(requestsOfMember, { database, memberId: 'mbr_ada' }, {});
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="requests.csv"');
    const time = '2026-03-10T23:59:59';
    const key = `'=cmd|’ /C calc’!A0`;
    const lines = (await file.text()).split('\r\n');
    expect(lines.filter((line) => !line.includes('rate_limit_exceeded'))).toEqual([
      'at,key,model,endpoint,request_id,reply_id,session,streamed,status,error_code,tokens_in,tokens_out,tokens_cached,tokens_cache_written,tokens_estimated,cost_usd,cost_source,first_byte_ms,duration_ms,group,reached_limit,documentation',
      `2026-03-11T00:00:00.000Z,${key},demo/small,chat.completions,,,'+codex-1,true,502,upstream_error,10,20,0,0,false,0.25,price,,900,,,/docs/errors#upstream_error`,
      `${time}.999Z,${key},demo/small,chat.completions,req_1,,,true,200,,10,20,0,0,false,0.3,price,40,900,,,`,
      `${time}.998Z,${key},demo/small,chat.completions,,,,true,200,,10,20,0,0,false,0.000000001,reported,40,900,,,`,
      `${time}.997Z,${key},"'@vendor/a,""b""",chat.completions,,,,true,200,,10,20,4,0,true,,,40,900,,,`,
      `2026-03-10T23:58:59.999Z,${key},,chat.completions,req_1,,,true,402,insufficient_quota,0,0,0,0,false,,,,2,,dollars per day of the key,/docs/errors#insufficient_quota`,
      '',
    ]);
  });
});

test.each([
  [{ day: '2026-02-30' }, ''],
  [{ day: 'yesterday', status: 'bad' }, ''],
  [{ status: '99' }, ''],
  [{ status: '4040', key: '' }, ''],
  [{ status: '404', session: ' codex-1 ', other: 'x' }, '?status=404&session=codex-1'],
  [{ sort: 'cost' }, '?day=2026-03-10&sort=cost'],
  [{ sort: 'cost', day: '2026-03-01' }, '?day=2026-03-01&sort=cost'],
  [{ sort: 'tokens' }, ''],
])('of the filters %o those that can be read stay', (parameters, search) => {
  const query = readListQuery(requestsOfMember, parameters, at);
  expect(toListSearch(requestsOfMember, query)).toBe(search);
});
