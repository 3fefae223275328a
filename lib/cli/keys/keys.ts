import { readAllUsage } from '#lib/accounts/admin/all-usage.ts';
import { type Config, loadConfig } from '#lib/config/config.ts';
import { type Database, openDatabase } from '#lib/database.ts';
import { createKeyRegister, type IssuedKey } from '#lib/keys/key-register.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import { toFirstDay } from '#lib/spend/budgets/periods.ts';
import { nameDatabase } from '#lib/storage/find-database.ts';
import { type CommandContext, print, printJson, startCommand } from '../command.ts';
import type { Result } from '../database-command.ts';
import { requireDatabase } from '../open-database.ts';
import { toPepperAdvice, toPeppers } from './key-peppers.ts';
import { type KeyTableOptions, toKeyJson, toKeyTable } from './key-tables.ts';
import { type KeyCommand, keysHelp, parseKeyCommand } from './parse-key-command.ts';
import { toAllUsageText, toRejectionsTable, toUsageTable } from './usage-tables.ts';

/**
 * `npm run keys`: creates, lists, updates, rotates and revokes API keys of the AI proxy, and shows their
 * usage. Only the key goes to standard output, for scripts; with `--json`, only JSON does.
 */
export async function keysCommand(
  args: readonly string[],
  { env, stdout, stderr }: CommandContext,
): Promise<number> {
  const command = parseKeyCommand(args);
  if (command.verb === 'help') {
    stdout.write(keysHelp);
    return 0;
  }
  const isQuiet = 'isQuiet' in command && command.isQuiet;
  const config = loadConfig(env);
  if (!isQuiet) print(stderr, `Database: ${nameDatabase(config.storage)}`);
  const mayCreate = command.verb === 'create' && command.mayCreateDatabase;
  if (!mayCreate) await requireDatabase(config.storage, databaseAdvice);
  const database = await openDatabase(config.storage);
  try {
    const { json, text, note } = await run(command, database, config);
    if (command.isJson) printJson(stdout, json);
    else {
      if (note !== undefined && !isQuiet) print(stderr, note);
      print(stdout, text);
    }
  } finally {
    await database.close();
  }
  return 0;
}

const databaseAdvice = 'Start the server first, or add --create-database to `create`.';

/** `note`: what is said beside a key. */
type KeyResult = Result & Readonly<{ note?: string }>;

async function run(
  command: Exclude<KeyCommand, { verb: 'help' }>,
  database: Database,
  config: Config,
): Promise<KeyResult> {
  const { pepper, previousPepper, ...defaults } = config.keys;
  const toHash = createKeyHasher(
    loadPepper({ keyPepper: pepper, dataDir: config.storage.dataDir }),
  );
  const toPreviousHash = previousPepper === null ? null : createKeyHasher(previousPepper);
  const { keys } = database;
  const register = createKeyRegister({ keys, toHash, toPreviousHash, now: Date.now });
  const view = { defaults, peppers: toPeppers(toHash, toPreviousHash), now: Date.now() };
  switch (command.verb) {
    case 'create':
      return toIssued('was created', await register.create(command.input), view);
    case 'rotate': {
      const what = 'has a new secret; the old one stops working within 5 seconds';
      return toIssued(what, await register.rotate(command.reference), view);
    }
    case 'update': {
      const record = await register.update(command.reference, command.changes);
      const title = `The key ${JSON.stringify(record.name)} is updated, within 5 seconds everywhere:`;
      return { json: toKeyJson(record, view), text: `${title}\n\n${toKeyTable([record], view)}` };
    }
    case 'revoke': {
      const record = await register.revoke(command.reference);
      const text = `The key ${JSON.stringify(record.name)} is revoked and stops working within 5 seconds, and its running streams end.`;
      return { json: toKeyJson(record, view), text };
    }
    case 'list':
      return toList(await keys.list(), view);
    case 'usage': {
      const fromDay = toFirstDay(command.days, view.now);
      if (command.reference === null) return loadAllUsage(database, fromDay);
      return loadUsage(database, await register.find(command.reference), fromDay);
    }
  }
}

function toIssued(what: string, { text, record }: IssuedKey, view: KeyTableOptions): KeyResult {
  const note = `The key ${JSON.stringify(record.name)} (${record.id}) ${what}. It is shown only once:`;
  return { json: { ...toKeyJson(record, view), key: text }, text, note };
}

function toList(keys: readonly KeyRecord[], view: KeyTableOptions): KeyResult {
  const json = keys.map((key) => toKeyJson(key, view));
  if (keys.length === 0) {
    return { json, text: 'There are no keys yet. Create one: npm run keys -- create --name NAME' };
  }
  const advice = toPepperAdvice(keys, view.peppers, view.now);
  const table = toKeyTable(keys, view);
  return { json, text: advice === null ? table : `${table}\n\n${advice}` };
}

async function loadAllUsage(database: Database, fromDay: string): Promise<KeyResult> {
  const usage = await readAllUsage(database, fromDay);
  const isNone = usage.keys.length === 0;
  const text = isNone ? `No key has usage since ${fromDay}.` : toAllUsageText(usage);
  return { json: { fromDay, ...usage }, text };
}

async function loadUsage(
  database: Database,
  { id, name }: KeyRecord,
  fromDay: string,
): Promise<KeyResult> {
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

if (import.meta.main) await startCommand(keysCommand);
