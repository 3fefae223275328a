import { isGroupName } from '#lib/accounts/admin/actions.ts';
import { type GroupSummary, loadGroups } from '#lib/accounts/admin/group-list.ts';
import { formatBudget, formatNanoUsd, parseBudget } from '#lib/config/budget.ts';
import { startCommand, toSafeText, toTextTable } from '../command.ts';
import { type CommandInput, createDatabaseCommand, type Result } from '../database-command.ts';

/** `npm run groups`: groups of members, who share a budget. */
export const groupsCommand = createDatabaseCommand({
  name: 'npm run groups --',
  title: 'Groups of members who share a budget',
  verbs: {
    list: { usage: 'list', words: [0, 0], run: list },
    create: { usage: 'create GROUP [BUDGET]', words: [1, 2], run: create },
    budget: { usage: 'budget GROUP BUDGET', words: [2, 2], run: setBudget },
    remove: { usage: 'remove GROUP', words: [1, 1], run: remove },
  },
  notes: `BUDGET is, for example, "50 USD/month", or none. Members of a removed group stay members.
To put a member into a group: npm run members -- group MEMBER GROUP`,
});

async function list({ database }: CommandInput): Promise<Result> {
  const groups = await loadGroups(database, Date.now());
  const text = groups.length === 0 ? 'There are no groups.' : toTable(groups);
  return { json: groups.map(toJson), text };
}

async function create(input: CommandInput): Promise<Result> {
  const [name = '', text] = input.words;
  if (!isGroupName(name))
    throw new Error('The name of a group has 1 to 100 characters in one line.');
  const budget = text === undefined ? null : parseBudget(text);
  if (!(await input.database.groups.create(name, budget))) {
    throw new Error(`There is a group ${JSON.stringify(name)} already: change its budget instead.`);
  }
  return list(input);
}

async function setBudget(input: CommandInput): Promise<Result> {
  const [name = '', budget = ''] = input.words;
  if (!(await input.database.groups.setBudget(name, parseBudget(budget)))) throw noGroup(name);
  return list(input);
}

async function remove(input: CommandInput): Promise<Result> {
  const [name = ''] = input.words;
  if (!(await input.database.groups.remove(name))) throw noGroup(name);
  return list(input);
}

function noGroup(name: string): Error {
  return new Error(`There is no group ${JSON.stringify(name)}.`);
}

function toTable(groups: readonly GroupSummary[]): string {
  return toTextTable(
    ['group', 'members', 'budget', 'tokens this month', 'USD this month'],
    groups.map(({ name, members, budget, tokens, nanoUsd }) => [
      toSafeText(name),
      String(members),
      budget === null ? 'none' : formatBudget(budget),
      String(tokens),
      formatNanoUsd(nanoUsd),
    ]),
  );
}

function toJson({ budget, createdAt, nanoUsd, ...group }: GroupSummary) {
  return {
    ...group,
    usd: nanoUsd / 1e9,
    budget: budget && formatBudget(budget),
    createdAt: new Date(createdAt).toISOString(),
  };
}

if (import.meta.main) await startCommand(groupsCommand);
