import { loadMember, loadMemberList, type MemberSummary } from '#lib/accounts/admin/member-list.ts';
import { formatBudget, parseBudget } from '#lib/config/budget.ts';
import type { Database } from '#lib/database.ts';
import { startCommand, toMinute, toSafeText, toTextTable } from '../command.ts';
import { type CommandInput, createDatabaseCommand, type Result } from '../database-command.ts';
import { findMemberId, readPageOption, toPageText } from './member-options.ts';

/** `npm run members`: lists, disables, enables and signs out members, and sets their budgets and groups. */
export const membersCommand = createDatabaseCommand({
  name: 'npm run members --',
  title: 'Members: everyone who has signed in',
  verbs: {
    list: { usage: 'list [TEXT] [--page 1]', words: [0, 1], options: ['page'], run: list },
    disable: {
      usage: 'disable MEMBER',
      words: [1, 1],
      run: (input) => change(input, ({ members }, id) => members.setDisabled(id, true)),
    },
    enable: {
      usage: 'enable MEMBER',
      words: [1, 1],
      run: (input) => change(input, ({ members }, id) => members.setDisabled(id, false)),
    },
    'sign-out': {
      usage: 'sign-out MEMBER',
      words: [1, 1],
      run: (input) => change(input, ({ sessions }, id) => sessions.endAll(id, null)),
    },
    budget: { usage: 'budget MEMBER BUDGET|default', words: [2, 2], run: setBudget },
    group: { usage: 'group MEMBER [GROUP]', words: [1, 2], run: setGroup },
  },
  notes: `MEMBER is an id or an e-mail address. TEXT is part of a name or address. BUDGET is, for example,
"5 USD/day, 50 USD/month, 200,000 tokens/day", or none for no limit. Without GROUP the member leaves their group.
Each change is in the audit log, and applies everywhere within 5 seconds.`,
});

async function list(input: CommandInput): Promise<Result> {
  const [text = ''] = input.words;
  const page = readPageOption(input.options.page);
  const { members, paging } = await loadMemberList(toOptions(input), { text, page });
  const table = members.length === 0 ? noMembers(text) : toTable(members);
  return { json: { ...paging, members: members.map(toJson) }, text: toPageText(table, paging) };
}

function noMembers(text: string): string {
  return text === ''
    ? 'Nobody has signed in yet.'
    : `No name or address contains ${JSON.stringify(text)}.`;
}

async function setBudget(input: CommandInput): Promise<Result> {
  const [, text = ''] = input.words;
  const budget = text === 'default' ? null : parseBudget(text);
  return change(input, ({ members }, id) => members.setBudget(id, budget));
}

async function setGroup(input: CommandInput): Promise<Result> {
  const [, name = null] = input.words;
  return change(input, async ({ members }, id) => {
    if (await members.setGroup(id, name)) return true;
    throw new Error(`There is no group ${JSON.stringify(name)}: npm run groups -- list`);
  });
}

type Change = (database: Database, id: string) => Promise<boolean>;

async function change(input: CommandInput, apply: Change): Promise<Result> {
  const { database, words } = input;
  const id = await findMemberId(database, words[0] ?? '');
  await apply(database, id);
  const member = await loadMember(toOptions(input), id);
  if (member === null) throw new Error(`The member ${id} has been deleted.`);
  return { json: toJson(member), text: toTable([member]) };
}

function toOptions({ database, config }: CommandInput) {
  return { database, admins: config.members?.admins ?? [], now: Date.now() };
}

function toTable(members: readonly MemberSummary[]): string {
  return toTextTable(
    ['name', 'address', 'id', 'state', 'group', 'budget', 'keys', 'tokens', 'last seen', 'joined'],
    members.map((member) => [
      toSafeText(member.name),
      toSafeText(member.email ?? '-'),
      member.id,
      member.isDisabled ? 'disabled' : member.isAdmin ? 'admin' : 'member',
      toSafeText(member.group ?? '-'),
      member.budget === null ? 'default' : formatBudget(member.budget),
      String(member.keys),
      String(member.usage.tokensIn + member.usage.tokensOut),
      toMinute(member.lastSeenAt),
      toMinute(member.joinedAt),
    ]),
  );
}

function toJson({ joinedAt, lastSeenAt, budget, usage, ...member }: MemberSummary) {
  return {
    ...member,
    budget: budget && formatBudget(budget),
    joinedAt: new Date(joinedAt).toISOString(),
    lastSeenAt: new Date(lastSeenAt).toISOString(),
    usageOf30Days: usage,
  };
}

if (import.meta.main) await startCommand(membersCommand);
