import { type GroupChangeName, groupChanges } from '#lib/accounts/admin/changes.ts';
import { type GroupSummary, groups } from '#lib/accounts/admin/group-list.ts';
import { readListQuery } from '#lib/accounts/lists/list-query.ts';
import { readAllPages, toListSource } from '#lib/accounts/lists/list-view.ts';
import { formatBudget, formatNanoUsd } from '#lib/config/budget.ts';
import { startCommand, toSafeText, toTextTable } from '../command.ts';
import { type CommandInput, createDatabaseCommand, type Result } from '../database-command.ts';

/** `npm run groups`: groups of members, who share a budget. */
export const groupsCommand = createDatabaseCommand({
  name: 'npm run groups --',
  title: 'Groups of members who share a budget',
  verbs: {
    list: { usage: 'list', words: [0, 0], run: list },
    create: {
      usage: 'create GROUP [BUDGET]',
      words: [1, 2],
      run: (input) => change(input, 'create'),
    },
    budget: {
      usage: 'budget GROUP BUDGET',
      words: [2, 2],
      run: (input) => change(input, 'budget'),
    },
    remove: { usage: 'remove GROUP', words: [1, 1], run: (input) => change(input, 'remove') },
  },
  notes: `BUDGET is, for example, "50 USD/month", or none. Members of a removed group stay members.
To put a member into a group: npm run members -- group MEMBER GROUP`,
});

async function list(input: CommandInput): Promise<Result> {
  const source = toListSource(input);
  const query = readListQuery(groups, {});
  const rows: GroupSummary[] = [];
  const load = (page: typeof query) => groups.load(source, page);
  for await (const some of readAllPages(load, query)) rows.push(...some);
  const text = rows.length === 0 ? 'There are no groups.' : toTable(rows);
  return { json: rows.map(toJson), text };
}

async function change(input: CommandInput, name: GroupChangeName): Promise<Result> {
  const [id = '', value = null] = input.words;
  await groupChanges[name](input.database, { id, value, by: null });
  return list(input);
}

function toTable(rows: readonly GroupSummary[]): string {
  return toTextTable(
    ['group', 'members', 'budget', 'tokens this month', 'USD this month'],
    rows.map(({ name, members, budget, tokens, nanoUsd }) => [
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
