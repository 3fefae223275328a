import { expect, test, vi } from 'vitest';
import { openDatabase } from '#lib/storage/database.ts';
import { makeMember } from '../../../support/factories/member-factory.ts';
import { type Outcome, runNode } from '../../../support/programs/run-node.ts';
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts';

// These start processes.
vi.setConfig({ testTimeout: 60_000 });

type Program = 'members' | 'groups' | 'audit-log';

/** `npm run members -- …`, or one of the others. */
function run(dataDir: string, program: Program, words: readonly string[]): Promise<Outcome> {
  const environment = { DATA_DIR: dataDir };
  return runNode([`lib/cli/members/${program}.ts`, ...words], { environment });
}

async function saveMembers(dataDir: string): Promise<void> {
  const database = await openDatabase({ databaseUrl: null, dataDir });
  await database.members.save(makeMember({ id: 'mbr_1', name: 'Ada\u001b[31m Moreno' }));
  const robin = { id: 'mbr_2', subject: 'robin', name: 'Robin', email: 'robin@makers.example' };
  await database.members.save(makeMember(robin));
  await database.close();
}

test('members are listed, disabled, enabled, and get budgets and groups; the log says so', async () => {
  using folder = makeTemporaryFolder();
  await saveMembers(folder.path);
  const members = (...words: string[]) => run(folder.path, 'members', words);
  const list = await members('list', 'ada');
  expect(list.out).toContain('mbr_1');
  expect(list.out).not.toContain('mbr_2');
  expect(list.out).not.toContain('\u001b');
  expect((await members('disable', 'ADA@makers.example')).out).toContain('disabled');
  expect((await members('enable', 'mbr_1')).out).not.toContain('disabled');
  const budget = await members('budget', 'mbr_1', '5 USD/day', '--json');
  expect(JSON.parse(budget.out)).toMatchObject({ id: 'mbr_1', budget: '5.00 USD/day' });
  await run(folder.path, 'groups', ['save', 'staff', '50 USD/month']);
  expect((await members('group', 'mbr_1', 'staff')).out).toContain('staff');
  const groups = await run(folder.path, 'groups', ['list', '--json']);
  expect(JSON.parse(groups.out)).toMatchObject([
    { name: 'staff', members: 1, budget: '50.00 USD/month', tokens: 0 },
  ]);
  await run(folder.path, 'groups', ['remove', 'staff']);
  const log = await run(folder.path, 'audit-log', ['list', '--json']);
  const actions = JSON.parse(log.out).entries.map(({ action }: { action: string }) => action);
  expect(actions).toEqual([
    ...['group.removed', 'member.group', 'group.created', 'member.budget'],
    ...['member.enabled', 'member.disabled'],
  ]);
  const disabled = await run(folder.path, 'audit-log', ['list', '--action', 'member.disabled']);
  expect(disabled.out).toMatch(/operator +member\.disabled +mbr_1/);
});

test.each([
  ['members', ['disable', 'nobody@x.example'], 'No member goes by "nobody@x.example"'],
  ['members', ['budget', 'mbr_1', 'much'], 'A budget is such as'],
  ['members', ['group', 'mbr_1', 'nothing'], 'There is no group "nothing"'],
  ['members', ['list', '--colour', 'red'], 'Usage: npm run members -- list'],
  ['members', ['budget', 'mbr_1'], 'Usage: npm run members -- budget'],
  ['members', ['dance'], 'Unknown command "dance"'],
  ['groups', ['remove', 'nothing'], 'There is no group "nothing"'],
  ['audit-log', ['list', '--action', 'x'], '--action must be one of'],
] as const)('npm run %s -- %j is rejected in one line', async (program, words, problem) => {
  using folder = makeTemporaryFolder();
  await saveMembers(folder.path);
  const { code, out, error } = await run(folder.path, program, words);
  expect(code).toBe(1);
  expect(out).toBe('');
  expect(error).toContain(problem);
  expect(error.replace(/^Database: .*\n/, '').trim()).not.toContain('\n');
});

test('without a database nothing is created, and help needs none', async () => {
  using folder = makeTemporaryFolder();
  const { code, error } = await run(folder.path, 'members', ['list']);
  expect(code).toBe(1);
  expect(error).toContain('There is no Marquee database yet');
  for (const program of ['members', 'groups', 'audit-log'] as const) {
    expect((await run(folder.path, program, [])).out).toContain(`npm run ${program} -- list`);
  }
});
