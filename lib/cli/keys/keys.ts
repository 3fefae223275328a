import { readAllUsage } from '#lib/accounts/admin/all-usage.ts';
import { keys } from '#lib/accounts/admin/key-list.ts';
import type { ListState } from '#lib/accounts/lists/list-query.ts';
import { toListSource } from '#lib/accounts/lists/list-view.ts';
import { budgetWords } from '#lib/config/budget.ts';
import { createKeyRegister, type IssuedKey } from '#lib/keys/key-register.ts';
import { createKeyHasher, toPepperId } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import { toFirstDay } from '#lib/spend/budgets.ts';
import { startCommand } from '../command.ts';
import { type CommandInput, createDatabaseCommand, type Result } from '../database-command.ts';
import { createListVerb, readListOptions, toPageText, toPaging } from '../list-verb.ts';
import { inputOptions, readDays, readKeyChanges, readKeyInput } from './key-options.ts';
import { type KeyTableOptions, toKeyJson, toKeyTable, toPepperAdvice } from './key-tables.ts';
import { toAllUsageText, toRejectionsTable, toUsageTable } from './usage-tables.ts';

const limits =
  '[--expires 2027-01-31] [--models ID,PREFIX/*] [--rpm N] [--tpd N] [--budget BUDGET]';
const updateUsage = `update NAME-OR-ID [--name NAME] ${limits}`;

/**
 * `npm run keys`: creates, lists, updates, rotates and revokes API keys of the AI proxy, and shows their
 * usage. Only the key goes to standard output, for scripts; with `--json`, only JSON does.
 */
export const keysCommand = createDatabaseCommand({
  name: 'npm run keys --',
  title: 'Keys of the AI proxy',
  databaseAdvice: 'Start the server first, or add --create-database to `create`.',
  verbs: {
    create: {
      usage: `create --name NAME ${limits} [--quiet] [--create-database]`,
      words: [0, 0],
      options: inputOptions,
      flags: ['quiet', 'create-database'],
      check: ({ options }) => void readKeyInput(options),
      run: create,
    },
    list: createListVerb(keys, list),
    update: {
      usage: updateUsage,
      words: [1, 1],
      options: inputOptions,
      check: ({ options }) => requireChanges(options),
      run: update,
    },
    revoke: { usage: 'revoke NAME-OR-ID', words: [1, 1], run: revoke },
    rotate: {
      usage: 'rotate NAME-OR-ID [--quiet]',
      words: [1, 1],
      flags: ['quiet'],
      run: rotate,
    },
    usage: {
      usage: 'usage [NAME-OR-ID] [--days 30]',
      words: [0, 1],
      options: ['days'],
      check: ({ options }) => void readDays(options.days),
      run: showUsage,
    },
  },
  optionsHelp: `  --expires  the last day (UTC) on which the key works, or a time such as 2027-01-31T12:00:00Z; or never
  --models   the models that the key may use; or all (default)
  --rpm      requests per minute; or default (the settings)
  --tpd      tokens per day; or default (the settings)
  --budget   ${budgetWords}, such as "5 USD/day, 50 USD/month"; or none (default)
  --quiet    prints only the key
  --json     prints the result as JSON
  --create-database  also creates the database, if the server has not run yet`,
  notes: `The key is printed once, on standard output, and not stored. NAME-OR-ID can also be the key itself. update changes only
the options you give. list finds TEXT in names, first characters, ids and owners; cost is that of 30 days. usage without a key shows that of the whole site,
with the keys and members that have used most.`,
});

function requireChanges(options: CommandInput['options']): void {
  if (Object.keys(readKeyChanges(options)).length > 0) return;
  throw new Error(`Say what to change. Usage: npm run keys -- ${updateUsage}`);
}

async function create(input: CommandInput): Promise<Result> {
  const { register, view } = openRegister(input);
  return toIssued('was created', await register.create(readKeyInput(input.options)), view);
}

async function rotate(input: CommandInput): Promise<Result> {
  const { register, view } = openRegister(input);
  const what = 'has a new secret; the old one stops working within 5 seconds';
  return toIssued(what, await register.rotate(toReference(input)), view);
}

async function update(input: CommandInput): Promise<Result> {
  const { register, view } = openRegister(input);
  const record = await register.update(toReference(input), readKeyChanges(input.options));
  const title = `The key ${JSON.stringify(record.name)} is updated, within 5 seconds everywhere:`;
  return { json: toKeyJson(record, view), text: `${title}\n\n${toKeyTable([record], view)}` };
}

async function revoke(input: CommandInput): Promise<Result> {
  const { register, view } = openRegister(input);
  const record = await register.revoke(toReference(input));
  const text = `The key ${JSON.stringify(record.name)} is revoked and stops working within 5 seconds, and its running streams end.`;
  return { json: toKeyJson(record, view), text };
}

async function list(input: CommandInput): Promise<Result> {
  const { database } = input;
  const { view } = openRegister(input);
  const { page, query } = readListOptions(keys, input);
  const { rows, total } = await keys.load(toListSource(input), query);
  const paging = toPaging(page, total);
  const json = {
    ...paging,
    keys: rows.map(({ record, usage }) => ({ ...toKeyJson(record, view), usageOf30Days: usage })),
  };
  if (rows.length === 0) return { json, text: toPageText(noKeys(query), paging) };
  const { previous } = view.peppers;
  const counts = await database.keys.countByPepper(view.now);
  const advice = previous === null ? [] : [toPepperAdvice(counts.get(previous) ?? 0)];
  const costs = new Map(rows.map(({ id, usage }) => [id, usage.costUsd]));
  const records = rows.map(({ record }) => record);
  const table = toPageText(toKeyTable(records, view, costs), paging);
  return { json, text: [table, ...advice].join('\n\n') };
}

function noKeys({ text, filters }: ListState): string {
  return text === '' && Object.keys(filters).length === 0
    ? 'There are no keys yet. Create one: npm run keys -- create --name NAME'
    : 'There is no such key.';
}

async function showUsage(input: CommandInput): Promise<Result> {
  const { database, options, words } = input;
  const now = Date.now();
  const fromDay = toFirstDay(readDays(options.days), now);
  if (words.length === 0) {
    const usage = await readAllUsage(database, { fromDay, today: toFirstDay(1, now) });
    const isNone = usage.keys.length === 0;
    const text = isNone ? `No key has usage since ${fromDay}.` : toAllUsageText(usage);
    return { json: { fromDay, ...usage }, text };
  }
  const { id, name } = await openRegister(input).register.find(toReference(input));
  const [usage, rejections] = await Promise.all([
    database.usage.sumByDayAndModel(id, fromDay),
    database.rejections.sum(fromDay, id),
  ]);
  const table =
    usage.length === 0
      ? `The key ${JSON.stringify(name)} has no usage since ${fromDay}.`
      : toUsageTable(usage);
  const text = rejections.length === 0 ? table : `${toRejectionsTable(rejections)}\n\n${table}`;
  return { json: { id, name, fromDay, usage, rejections }, text };
}

function openRegister({ database, config }: CommandInput) {
  const { pepper, previousPepper, ...defaults } = config.keys;
  const { dataDir } = config.storage;
  const toHash = createKeyHasher(loadPepper({ keyPepper: pepper, dataDir }));
  const toPreviousHash = previousPepper === null ? null : createKeyHasher(previousPepper);
  const peppers = {
    current: toPepperId(toHash),
    previous: toPreviousHash === null ? null : toPepperId(toPreviousHash),
  };
  return {
    register: createKeyRegister({ keys: database.keys, toHash, toPreviousHash, now: Date.now }),
    view: { defaults, peppers, now: Date.now() },
  };
}

function toReference({ words }: CommandInput): string {
  return words[0] ?? '';
}

function toIssued(what: string, { text, record }: IssuedKey, view: KeyTableOptions): Result {
  const note = `The key ${JSON.stringify(record.name)} (${record.id}) ${what}. It is shown only once:`;
  return { json: { ...toKeyJson(record, view), key: text }, text, note };
}

if (import.meta.main) await startCommand(keysCommand);
