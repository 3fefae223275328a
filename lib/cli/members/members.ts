import { type MemberChangeName, memberChanges } from '#lib/accounts/admin/changes.ts';
import {
  loadMember,
  type MemberSummary,
  members,
  toMemberState,
} from '#lib/accounts/admin/member-list.ts';
import type { ListState } from '#lib/accounts/lists/list-query.ts';
import { toListSource } from '#lib/accounts/lists/list-view.ts';
import { createIdentities } from '#lib/accounts/member-identities.ts';
import { formatBudget } from '#lib/config/budget.ts';
import { startCommand, toMinute, toSafeText, toTextTable } from '../command.ts';
import { type CommandInput, createDatabaseCommand, type Result } from '../database-command.ts';
import { createListVerb, readListOptions, toPageText, toPaging } from '../list-verb.ts';
import { findMemberId } from './member-options.ts';

/** `npm run members`: lists, disables, enables, signs out and deletes members, and sets their budgets and groups. */
export const membersCommand = createDatabaseCommand({
  name: 'npm run members --',
  title: 'Members: everyone who has signed in',
  verbs: {
    list: createListVerb(members, list),
    disable: { usage: 'disable MEMBER', words: [1, 1], run: (input) => change(input, 'disable') },
    enable: { usage: 'enable MEMBER', words: [1, 1], run: (input) => change(input, 'enable') },
    'sign-out': {
      usage: 'sign-out MEMBER',
      words: [1, 1],
      run: (input) => change(input, 'sign-out'),
    },
    budget: { usage: 'budget MEMBER BUDGET|default', words: [2, 2], run: setBudget },
    group: {
      usage: 'group MEMBER [GROUP]',
      words: [1, 2],
      run: (input) => change(input, 'group', input.words[1] ?? null),
    },
    delete: { usage: 'delete MEMBER', words: [1, 1], run: remove },
  },
  notes: `MEMBER is an id or an e-mail address. TEXT is part of a name, an address or an id; cost is that of 30
days. BUDGET is, for example,
"5 USD/day, 50 USD/month, 200,000 tokens/day", or none for no limit. Without GROUP the member leaves their group.
Each change is in the audit log, and applies everywhere within 5 seconds. What is deleted cannot be restored: sessions end,
keys are revoked, and usage stays as numbers.`,
});

async function list(input: CommandInput): Promise<Result> {
  const { page, query } = readListOptions(members, input);
  const { rows, total } = await members.load(toListSource(input), query);
  const paging = toPaging(page, total);
  const table = rows.length === 0 ? noMembers(query) : toTable(rows);
  return { json: { ...paging, members: rows.map(toJson) }, text: toPageText(table, paging) };
}

function noMembers({ text, filters }: ListState): string {
  if (text !== '') return `No name or address contains ${JSON.stringify(text)}.`;
  return Object.keys(filters).length === 0
    ? 'Nobody has signed in yet.'
    : 'There is no such member.';
}

function setBudget(input: CommandInput): Promise<Result> {
  const [, text = ''] = input.words;
  return change(input, 'budget', text === 'default' ? null : text);
}

async function change(
  input: CommandInput,
  name: MemberChangeName,
  value: string | null = null,
): Promise<Result> {
  const { database, words } = input;
  const id = await findMemberId(database, words[0] ?? '');
  await memberChanges[name](database, { id, value, by: null });
  const member = await loadMember(toListSource(input), id);
  if (member === null) throw new Error(`The member ${id} has been deleted.`);
  return { json: toJson(member), text: toTable([member]) };
}

/** As members do themselves on their page. */
async function remove({ database, config, words }: CommandInput): Promise<Result> {
  const id = await findMemberId(database, words[0] ?? '');
  const member = await database.members.find(id);
  // There is always one identity.
  const [identity = ''] = member === null ? [] : createIdentities(config)(member);
  await database.members.remove(id, identity);
  return { json: { id, deleted: true }, text: `The member ${id} is deleted.` };
}

function toTable(rows: readonly MemberSummary[]): string {
  return toTextTable(
    ['name', 'address', 'id', 'state', 'group', 'budget', 'keys', 'tokens', 'last seen', 'joined'],
    rows.map((member) => [
      toSafeText(member.name),
      toSafeText(member.email ?? '-'),
      member.id,
      toMemberState(member),
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
