import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createIdentities } from '#lib/accounts/member-identities.ts';
import { auditLogCommand } from '#lib/cli/members/audit-log.ts';
import { groupsCommand } from '#lib/cli/members/groups.ts';
import { membersCommand } from '#lib/cli/members/members.ts';
import { parseBudget } from '#lib/config/budget.ts';
import { makeKeyRecord } from '../../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../../support/factories/member-factory.ts';
import { callCommand } from '../../../support/programs/call-command.ts';
import type { Outcome } from '../../../support/programs/run-node.ts';
import { openTestDatabase } from '../../../support/servers/each-database.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

const commands = {
  members: membersCommand,
  groups: groupsCommand,
  'audit-log': auditLogCommand,
} as const;
type Name = keyof typeof commands;

/** `npm run members -- …` and the others, with a database of their own, which has no members. */
async function openCommands() {
  const dataDir = makeTestFolder();
  const database = await openTestDatabase({ dataDir });
  const run = (name: Name, ...words: readonly string[]): Promise<Outcome> =>
    callCommand(commands[name], words, { DATA_DIR: dataDir });
  const readLog = async (...words: readonly string[]) =>
    JSON.parse((await run('audit-log', 'list', ...words, '--json')).out).entries;
  return { dataDir, database, run, readLog };
}

/** The same with two members. */
async function openWithMembers() {
  const opened = await openCommands();
  const { database } = opened;
  await database.members.save(makeMember({ id: 'mbr_1', name: 'Ada\u001b[31m Moreno' }));
  const robin = { id: 'mbr_2', subject: 'robin', name: 'Robin', email: 'robin@makers.example' };
  await database.members.save(makeMember(robin));
  return opened;
}

test('members are listed, disabled, enabled, and get budgets and groups; the log says so', async () => {
  const { run, readLog } = await openWithMembers();
  const members = (...words: string[]) => run('members', ...words);
  const list = await members('list', 'ada');
  expect(list.out).toContain('mbr_1');
  expect(list.out).not.toContain('mbr_2');
  expect(list.out).not.toContain('\u001b');
  expect((await members('disable', 'ADA@makers.example')).out).toContain('disabled');
  expect((await members('enable', 'mbr_1')).out).not.toContain('disabled');
  const budget = await members('budget', 'mbr_1', '5 USD/day', '--json');
  expect(JSON.parse(budget.out)).toMatchObject({ id: 'mbr_1', budget: '5.00 USD/day' });
  await run('groups', 'create', 'staff', '50 USD/month');
  const taken = await run('groups', 'create', 'staff', '1 USD/month');
  expect(taken).toMatchObject({ code: 1, out: '' });
  expect(taken.error).toContain('There is a group "staff" already');
  expect((await members('group', 'mbr_1', 'staff')).out).toContain('staff');
  const groups = await run('groups', 'list', '--json');
  expect(JSON.parse(groups.out)).toMatchObject([
    { name: 'staff', members: 1, budget: '50.00 USD/month', tokens: 0 },
  ]);
  const set = await run('groups', 'budget', 'staff', '60 USD/month', '--json');
  expect(JSON.parse(set.out)).toMatchObject([{ name: 'staff', budget: '60.00 USD/month' }]);
  await run('groups', 'remove', 'staff');
  const actions = (await readLog()).map(({ action }: { action: string }) => action);
  expect(actions).toEqual([
    'group.removed',
    'group.budget',
    'member.group',
    'group.created',
    'member.budget',
    'member.enabled',
    'member.disabled',
  ]);
  const disabled = await run('audit-log', 'list', '--action', 'member.disabled');
  expect(disabled.out).toMatch(/operator +member\.disabled +mbr_1/);
});

test('a member is deleted with sessions and keys; who signs in again this month gets the budget back', async () => {
  const { database, dataDir, run, readLog } = await openWithMembers();
  await run('members', 'budget', 'mbr_1', '5 USD/day');
  const session = { id: 'ses_1', memberId: 'mbr_1', hash: 'hash', device: 'Firefox' };
  await database.sessions.insert({ ...session, createdAt: Date.now(), usedAt: Date.now() });
  const owner = makeKeyOwner({ id: 'mbr_1' });
  await database.keys.insert(makeKeyRecord({ id: 'key_1', name: 'laptop', owner }));
  const deleted = await run('members', 'delete', 'ADA@makers.example');
  expect(deleted).toMatchObject({ code: 0, out: 'The member mbr_1 is deleted.\n' });
  expect(await database.members.find('mbr_1')).toBeNull();
  expect(await database.sessions.find('hash')).toBeNull();
  expect(await database.keys.find('id', 'key_1')).toMatchObject({
    name: 'deleted',
    revokedAt: expect.any(Number),
  });
  expect(await readLog('--action', 'member.deleted')).toMatchObject([{ target: 'mbr_1' }]);
  expect(await run('members', 'delete', 'mbr_1')).toMatchObject({ code: 1, out: '' });
  const keys = { pepper: null, previousPepper: null };
  const toIdentities = createIdentities({ keys, storage: { dataDir } });
  const again = makeMember({ id: 'mbr_new' });
  expect(await database.members.save(again, toIdentities(again))).toMatchObject({
    id: 'mbr_1',
    budget: parseBudget('5 USD/day'),
  });
});

test('the log of a member is found by id and by address', async () => {
  const { run, readLog } = await openWithMembers();
  for (const id of ['mbr_1', 'mbr_2']) await run('members', 'disable', id);
  for (const member of ['mbr_2', 'ROBIN@makers.example']) {
    expect(await readLog('--member', member)).toMatchObject([{ target: 'mbr_2' }]);
  }
  // Deleted members are in the log, too.
  const deleted = await run('audit-log', 'list', '--member', 'mbr_9');
  expect(deleted).toMatchObject({ code: 0, out: 'There are no entries.\n' });
});

test('a long list has pages', async () => {
  const { database, run } = await openCommands();
  for (let number = 10; number < 61; number++) {
    const person = { subject: `${number}`, name: `Ada ${number}`, email: `${number}@x.example` };
    await database.members.save(makeMember({ id: `mbr_${number}`, ...person }));
  }
  const list = async (...words: string[]) => run('members', 'list', ...words);
  const first = await list();
  expect(first.out).toMatch(/mbr_59.*\n\nPage 1 of 2: --page N\n$/s);
  expect(first.out).not.toContain('mbr_60');
  const second = await list('--page', '2');
  expect(second.out).toMatch(/mbr_60.*\n\nPage 2 of 2: --page N\n$/s);
  expect(second.out).not.toContain('mbr_59');
  expect(JSON.parse((await list('--page', '2', '--json')).out)).toMatchObject({
    page: 2,
    pages: 2,
    total: 51,
    members: [{ id: 'mbr_60' }],
  });
  expect(await list('--page', '3')).toMatchObject({
    code: 1,
    error: expect.stringMatching(/\nThere is no page 3: the last is 2\.\n$/),
  });
});

test('members are found by state and group, and sorted', async () => {
  const { database, run } = await openCommands();
  for (const [index, name] of ['Ada', 'Robin', 'Zoë'].entries()) {
    const person = { id: `mbr_${index}`, subject: `${index}`, name, createdAt: index };
    await database.members.save(makeMember(person));
  }
  await database.groups.create('Night & day', null);
  await database.members.setGroup('mbr_2', 'Night & day');
  await database.members.setDisabled('mbr_0', true);
  const list = async (...words: string[]) => {
    const { out } = await run('members', 'list', ...words, '--json');
    return JSON.parse(out).members.map(({ name }: { name: string }) => name);
  };
  expect(await list('--sort', 'joined')).toEqual(['Zoë', 'Robin', 'Ada']);
  expect(await list('--state', 'disabled')).toEqual(['Ada']);
  expect(await list('--group', 'Night & day')).toEqual(['Zoë']);
  expect(await list('--group', 'none')).toEqual([]);
});

test.each([
  ['members', ['disable', 'nobody@x.example'], 'There is no member "nobody@x.example"'],
  ['members', ['budget', 'mbr_1', 'much'], '"much" is not a budget. Write one like'],
  ['members', ['group', 'mbr_1', 'nothing'], 'There is no group "nothing"'],
  ['members', ['list', '--colour', 'red'], 'Usage: npm run members -- list'],
  ['members', ['budget', 'mbr_1'], 'Usage: npm run members -- budget'],
  ['members', ['dance'], 'Unknown command "dance"'],
  ['groups', ['remove', 'nothing'], 'There is no group "nothing"'],
  ['groups', ['budget', 'nothing', '5 USD/day'], 'There is no group "nothing"'],
  [
    'members',
    ['list', '--page', 'abc'],
    '--page must be a whole number from 1 to 100000, not "abc"',
  ],
  ['members', ['list', '--sort', 'age'], '--sort must be one of name, cost, seen, joined.'],
  ['members', ['list', '--state', 'x'], '--state must be one of active, disabled.'],
  ['members', ['list', '--group', ''], '--group must be a name.'],
  ['members', ['list', '--page', '0'], '--page must be a whole number from 1 to 100000, not "0"'],
  ['members', ['list', '--page=-1'], '--page must be a whole number from 1 to 100000, not "-1"'],
  [
    'members',
    ['list', '--page', '1.5'],
    '--page must be a whole number from 1 to 100000, not "1.5"',
  ],
  ['members', ['list', '--page', '100001'], '--page must be a whole number from 1 to 100000'],
  ['members', ['list', '--page', ''], '--page must be a whole number from 1 to 100000, not ""'],
  ['audit-log', ['list', '--page', 'abc'], '--page must be a whole number from 1 to 100000'],
  ['audit-log', ['list', '--action', 'x'], '--action must be one of'],
  ['audit-log', ['list', '--member', 'nobody@x.example'], 'There is no member "nobody@x.example"'],
] as const)('npm run %s -- %j is rejected in one line', async (program, words, problem) => {
  const { run } = await openWithMembers();
  const { code, out, error } = await run(program, ...words);
  expect([code, out]).toEqual([1, '']);
  expect(error).toContain(problem);
  expect(error.replace(/^Database: .*\n/, '').trim()).not.toContain('\n');
});

test('without a database nothing is created, and help needs none', async () => {
  const settings = { DATA_DIR: makeTestFolder() };
  const { code, error } = await callCommand(membersCommand, ['list'], settings);
  expect(code).toBe(1);
  expect(error).toContain('There is no Marquee database yet');
  for (const [program, command] of Object.entries(commands)) {
    expect((await callCommand(command, [], settings)).out).toContain(`npm run ${program} -- list`);
  }
});

test('verify says what is missing from the log, in its exit code, too', async () => {
  const { dataDir, run } = await openWithMembers();
  for (const id of ['mbr_1', 'mbr_2', 'mbr_1']) {
    await run('members', 'disable', id);
    await run('members', 'enable', id);
  }
  const whole = await run('audit-log', 'verify');
  expect(whole.out).toMatch(
    /^6 entries\. The newest has the position 6 and the hash [\da-f]{64}\.\nNothing is missing or changed\.\n$/,
  );
  const newest = /[\da-f]{64}/.exec(whole.out)?.[0] ?? '';
  expect((await run('audit-log', 'verify', '--head', newest)).code).toBe(0);
  const file = new DatabaseSync(join(dataDir, 'marquee.db'));
  file.exec('delete from marquee_audit_log where position in (2, 3, 6)');
  file.close();
  const changed = await run('audit-log', 'verify', '--head', newest, '--json');
  expect(changed.code).toBe(1);
  expect(JSON.parse(changed.out).problems).toEqual([
    'Entries 2 to 3 are missing.',
    'Entry 6 is missing. Nothing newer is there.',
    expect.stringContaining(`No entry has the hash ${newest}`),
  ]);
});

test('a member is signed out everywhere, and the log says so', async () => {
  const { database, run, readLog } = await openWithMembers();
  const times = { createdAt: 1, usedAt: 1 };
  for (const memberId of ['mbr_1', 'mbr_2']) {
    const session = { id: `ses_${memberId}`, memberId, device: 'A browser', hash: memberId };
    await database.sessions.insert({ ...session, ...times });
  }
  await run('members', 'sign-out', 'ada@makers.example');
  expect(await database.sessions.list('mbr_1')).toEqual([]);
  expect(await database.sessions.list('mbr_2')).toHaveLength(1);
  const signedOut = { action: 'member.signed_out', by: null, target: 'mbr_1' };
  expect((await readLog())[0]).toMatchObject(signedOut);
});
