import { readAllUsage } from '#lib/admin/all-usage.ts';
import { createKeyRegister, type IssuedKey } from '#lib/ai-proxy/keys/key-register.ts';
import { createKeyHasher } from '#lib/ai-proxy/keys/key-text.ts';
import { loadPepper } from '#lib/ai-proxy/keys/pepper.ts';
import { type Config, loadConfig } from '#lib/config/config.ts';
import type { Database } from '#lib/storage/database.ts';
import { hasDatabase, nameDatabase } from '#lib/storage/find-database.ts';
import { toFirstDay } from '#lib/storage/stores/usage-store.ts';
import { openDatabaseToChange } from '../open-database.ts';
import { exitWithError, print } from '../terminal.ts';
import { toPepperAdvice, toPeppers } from './key-peppers.ts';
import { type KeyTableOptions, toKeyJson, toKeyTable } from './key-tables.ts';
import { type KeyCommand, keysHelp, parseKeyCommand } from './parse-key-command.ts';
import { toAllUsageText, toRejectionsTable, toUsageTable } from './usage-tables.ts';

/**
 * `npm run keys`: creates, lists, updates, rotates and revokes API keys of the AI proxy, and shows their
 * usage. Only the key goes to standard output, for scripts; with `--json`, only JSON does.
 */
async function main(): Promise<void> {
  const command = parseKeyCommand(process.argv.slice(2));
  if (command.verb === 'help') {
    process.stdout.write(keysHelp);
    return;
  }
  const config = loadConfig(process.env);
  const name = nameDatabase(config.storage);
  if (!('isQuiet' in command && command.isQuiet)) process.stderr.write(`Database: ${name}\n`);
  const mayCreate = command.verb === 'create' && command.mayCreateDatabase;
  // A wrong DATA_DIR or DATABASE_URL would otherwise look like one without keys.
  if (!mayCreate && !(await hasDatabase(config.storage))) {
    throw new Error(
      `There is no Marquee database yet (${name}). Start the server first, or add --create-database to \`create\`.`,
    );
  }
  const database = await openDatabaseToChange(config.storage);
  try {
    await run(command, database, config);
  } finally {
    await database.close();
  }
}

async function run(command: KeyCommand, database: Database, config: Config): Promise<void> {
  const { pepper, previousPepper, ...defaults } = config.keys;
  const toHash = createKeyHasher(
    loadPepper({ keyPepper: pepper, dataDir: config.storage.dataDir }),
  );
  const toPreviousHash = previousPepper === null ? null : createKeyHasher(previousPepper);
  const { keys } = database;
  const register = createKeyRegister({ keys, toHash, toPreviousHash, now: Date.now });
  const view = { defaults, peppers: toPeppers(toHash, toPreviousHash), now: Date.now() };
  const { isJson } = command;
  switch (command.verb) {
    case 'create':
      return printKey('was created', await register.create(command.input), { ...command, view });
    case 'rotate': {
      const issued = await register.rotate(command.reference);
      return printKey('has a new secret; the old one stops working within 5 seconds', issued, {
        ...command,
        view,
      });
    }
    case 'update': {
      const record = await register.update(command.reference, command.changes);
      if (isJson) return printJson(toKeyJson(record, view));
      print(`The key ${JSON.stringify(record.name)} is updated, within 5 seconds everywhere:\n`);
      return print(toKeyTable([record], view));
    }
    case 'revoke': {
      const record = await register.revoke(command.reference);
      if (isJson) return printJson(toKeyJson(record, view));
      return print(
        `The key ${JSON.stringify(record.name)} is revoked and stops working within 5 seconds.`,
      );
    }
    case 'list': {
      const all = await keys.list();
      if (isJson) return printJson(all.map((key) => toKeyJson(key, view)));
      if (all.length === 0) {
        return print('There are no keys yet. Create one: npm run keys -- create --name NAME');
      }
      print(toKeyTable(all, view));
      const advice = toPepperAdvice(all, view.peppers, view.now);
      return advice === null ? undefined : print(`\n${advice}`);
    }
    case 'usage': {
      const fromDay = toFirstDay(command.days, Date.now());
      if (command.reference === null) return printAllUsage(database, fromDay, isJson);
      const { id, name } = await register.find(command.reference);
      const [sums, rejections] = await Promise.all([
        database.usage.sumByDayAndModel(id, fromDay),
        database.rejections.sum(fromDay, id),
      ]);
      if (isJson) return printJson({ id, name, fromDay, usage: sums, rejections });
      if (rejections.length > 0) print(`${toRejectionsTable(rejections)}\n`);
      if (sums.length > 0) return print(toUsageTable(sums));
      return print(`The key ${JSON.stringify(name)} has no usage since ${fromDay}.`);
    }
  }
}

async function printAllUsage(database: Database, fromDay: string, isJson: boolean): Promise<void> {
  const usage = await readAllUsage(database, fromDay);
  if (isJson) return printJson({ fromDay, ...usage });
  if (usage.keys.length === 0) return print(`No key has usage since ${fromDay}.`);
  print(toAllUsageText(usage));
}

type PrintOptions = Readonly<{ isQuiet: boolean; isJson: boolean; view: KeyTableOptions }>;

function printKey(
  what: string,
  { text, record }: IssuedKey,
  { isQuiet, isJson, view }: PrintOptions,
): void {
  if (isJson) {
    printJson({ ...toKeyJson(record, view), key: text });
    return;
  }
  if (!isQuiet) {
    process.stderr.write(
      `The key ${JSON.stringify(record.name)} (${record.id}) ${what}. It is shown only once:\n`,
    );
  }
  print(text);
}

function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

main().catch(exitWithError);
