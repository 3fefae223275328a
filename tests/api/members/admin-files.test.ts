import { expect, test } from 'vitest';
import { toRow } from '#lib/keys/store/key-record.ts';
import { makeKeyRecord, makeUsageRecord } from '../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../support/factories/member-factory.ts';
import { forTests } from '../../support/for-tests.ts';
import { startMembersInProcess } from '../../support/members/members-in-process.ts';
import { storeUsage } from '../../support/store-usage.ts';

/** The lists of the admin pages as CSV files. */

const site = forTests(() => startMembersInProcess());

async function openAs(person: string, path: string) {
  return (await site.signInAs(person)).open(site.siteUrl + path);
}

const keysMax = 5_100;

async function fill(): Promise<void> {
  const { database } = site.server.services;
  await database.members.save(makeMember({ id: 'mbr_1', subject: 'zoe', name: 'Lind, "Zoë"' }));
  const owner = makeKeyOwner({ id: 'mbr_1' });
  await database.keys.insert(makeKeyRecord({ id: 'key_own', owner, name: '=HYPERLINK("x")' }));
  const rows = Array.from({ length: keysMax }, (_, number) => {
    const name = { id: `key_${number}`, name: `ci ${number}` };
    return toRow(makeKeyRecord({ ...name, createdAt: 5, revokedAt: number === 7 ? 6 : null }));
  });
  for (let from = 0; from < keysMax; from += 1_000) {
    const some = rows.slice(from, from + 1_000);
    await database.run((db) => db.insertInto('marquee_keys').values(some).execute());
  }
  await storeUsage(database, [
    makeUsageRecord({ at: Date.now(), keyId: 'key_own', memberId: 'mbr_1', costUsd: 0.5 }),
  ]);
  await database.groups.create('Night/day, "a"?', null);
  const later = { notBefore: Date.now() + 3_600_000 };
  const ping = { kind: 'ping', target: '@hub', payload: '/feed.xml', ...later } as const;
  await database.deliveries.add([ping], Date.now());
}

test('the files of lists have all that their pages find, whatever its characters', async () => {
  await fill();
  const keys = await openAs('root', '/admin/keys.csv');
  expect(keys.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(keys.headers.get('content-disposition')).toBe('attachment; filename="keys.csv"');
  expect(keys.headers.get('cache-control')).toBe('private, no-store');
  const lines = keys.text.split('\r\n');
  expect(lines[0]).toBe(
    'id,name,key,state,owner_id,owner,created_at,last_used_at,requests,tokens_in,tokens_out,tokens_cached,cost_usd',
  );
  const ids = lines.slice(1, -1).map((line) => line.split(',')[0]);
  expect(ids).toHaveLength(keysMax + 1);
  expect(new Set(ids).size).toBe(keysMax + 1);
  const own = lines.find((line) => line.startsWith('key_own,'));
  expect(own).toContain('key_own,"\'=HYPERLINK(""x"")",');
  expect(own).toContain(',active,mbr_1,"Lind, ""Zoë""",');
  expect(own).toMatch(/,0\.5$/);
  const some = await openAs('root', '/admin/keys.csv?state=revoked&q=ci&sort=cost');
  expect(some.text.split('\r\n').slice(1)).toEqual([expect.stringMatching(/^key_7,ci 7,/), '']);
  const dearest = await openAs('root', '/admin/keys.csv?sort=cost');
  expect(dearest.text.split('\r\n')[1]).toMatch(/^key_own,/);
  const members = await openAs('root', '/admin/members.csv?q=LIND');
  expect(members.text).toContain('\r\nmbr_1,"Lind, ""Zoë""",');
  const groups = await openAs('root', '/admin/groups.csv');
  expect(groups.text).toContain('\r\n"Night/day, ""a""?",,0,');
  const deliveries = await openAs('root', '/admin/deliveries.csv?kind=ping');
  expect(deliveries.text).toMatch(/\r\nmsg_[^,]+,ping,'@hub,,ping,Waiting,0,,20/);
  const log = await openAs('root', '/admin/log.csv?action=group.created');
  expect(log.text.split('\r\n')).toEqual([
    'id,at,action,by_id,by,about_id,about,target,target_name,changes',
    expect.stringMatching(/^log_[^,]+,20[^,]+Z,group\.created,,,,,"Night\/day, ""a""\?","Night/),
    '',
  ]);
});

test('requests of everybody are a file, too, by member, key, model and status', async () => {
  const { database } = site.server.services;
  const ada = { id: 'mbr_2', subject: 'ada2', name: 'Ada, "A"', email: 'Ada@x.example' };
  await database.members.save(makeMember(ada));
  await database.keys.insert(makeKeyRecord({ id: 'key_ada', name: '+1' }));
  const record = { at: Date.now(), memberId: 'mbr_2', keyId: 'key_ada', model: 'demo/odd' };
  await storeUsage(database, [
    makeUsageRecord({ ...record, status: 502 }),
    makeUsageRecord({ ...record, keyId: 'playground_mbr_2' }),
    makeUsageRecord({ ...record, keyId: 'key_free', memberId: null }),
  ]);
  const linesOf = async (search: string) => {
    const { text } = await openAs('root', `/admin/requests.csv${search}`);
    return text.split('\r\n').slice(1, -1);
  };
  expect(await linesOf('?model=demo/odd')).toHaveLength(3);
  expect(await linesOf('?person=ADA@x.example')).toHaveLength(2);
  expect(await linesOf('?person=mbr_2&status=failed')).toEqual([
    expect.stringMatching(/Z,'\+1,demo\/odd,.*,502,.*,mbr_2,"Ada, ""A""",key_ada,/),
  ]);
  expect(await linesOf('?key=playground_mbr_2')).toEqual([
    expect.stringMatching(/Z,Playground,demo\/odd,.*,playground_mbr_2,/),
  ]);
  expect(await linesOf('?key=key_free')).toEqual([expect.stringMatching(/,,,key_free,[^,]*$/)]);
  for (const search of ['?person=nobody@x.example', '?person=mbr_9', '?model=none']) {
    expect(await linesOf(search), search).toEqual([]);
  }
  expect((await openAs('root', '/admin/requests.csv?person=%00')).status).toBe(400);
});

test('usage between any two dates is a file by member and by group: each day once, and no other', async () => {
  const { database } = site.server.services;
  const names = { mbr_3: '=1+1', mbr_4: 'Zoë, "Z"' };
  for (const [id, name] of Object.entries(names)) {
    await database.members.save(makeMember({ id, subject: id, name }));
  }
  const use = (memberId: string, keyId: string, day: string, costUsd: number | null) =>
    makeUsageRecord({
      ...{ memberId, keyId, costUsd },
      groupName: '@staff',
      at: Date.parse(day),
      tokensIn: 100,
      tokensOut: 20,
      cachedTokens: 40,
    });
  await storeUsage(database, [
    use('mbr_3', 'key_x', '2026-02-28T23:59:59Z', 9),
    use('mbr_3', 'key_x', '2026-03-01T00:00:00Z', 0.5),
    use('mbr_3', 'key_y', '2026-03-01T12:00:00Z', 0.25),
    use('mbr_4', 'key_z', '2026-03-02T12:00:00Z', null),
    use('mbr_4', 'key_z', '2026-03-03T00:00:00Z', 7),
  ]);
  const linesOf = async (search: string) => {
    const { text } = await openAs('root', `/admin/usage.csv${search}`);
    return text.split('\r\n').slice(0, -1);
  };
  const days = 'from=2026-03-01&to=2026-03-02';
  expect(await linesOf(`?by=member&${days}`)).toEqual([
    'day,member_id,member,requests,tokens_in,tokens_out,tokens_cached,cost_usd',
    "2026-03-01,mbr_3,'=1+1,2,200,40,80,0.75",
    '2026-03-02,mbr_4,"Zoë, ""Z""",1,100,20,40,',
  ]);
  expect(await linesOf(`?by=group&${days}`)).toEqual([
    'day,group,tokens,cost_usd',
    "2026-03-01,'@staff,240,0.75",
    "2026-03-02,'@staff,120,0",
  ]);
  expect(await linesOf('?by=group&from=2026-03-02&to=2026-03-01')).toHaveLength(3);
  // What cannot be read counts as left out: the last thirty days.
  for (const search of ['?from=2026-02-30', '?by=x&from=1&to=9999-99-99', '']) {
    expect((await linesOf(search))[0], search).toMatch(/^day,member_id,/);
  }
});

test('of more members than are read at once, each is in the file', async () => {
  const { database } = site.server.services;
  const at = Date.parse('2026-04-01T12:00:00Z');
  const records = Array.from({ length: 501 }, (_, index) =>
    makeUsageRecord({ memberId: `mbr_of_${index}`, groupName: `Team ${index}`, at }),
  );
  await storeUsage(database, records);
  for (const by of ['member', 'group']) {
    const path = `/admin/usage.csv?by=${by}&from=2026-04-01&to=2026-04-01`;
    const lines = (await openAs('root', path)).text.split('\r\n').slice(1, -1);
    expect(new Set(lines.map((line) => line.split(',')[1])).size, by).toBe(501);
    expect(lines, by).toHaveLength(501);
  }
});

test.each(['keys', 'members', 'groups', 'deliveries', 'requests', 'log', 'usage'])(
  'the file of %s is for admins alone',
  async (name) => {
    const path = `/admin/${name}.csv`;
    expect((await openAs('ada', path)).status).toBe(404);
    const visitor = await site.open().open(site.siteUrl + path);
    expect(visitor.url).toBe(`${site.siteUrl}/account?problem=signed-out`);
  },
);
