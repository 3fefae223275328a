import { createKeyRegister, type IssuedKey } from '#lib/ai-proxy/keys/key-register.ts';
import { createKeyHasher } from '#lib/ai-proxy/keys/key-text.ts';
import { loadPepper } from '#lib/ai-proxy/keys/pepper.ts';
import { type Config, loadConfig } from '#lib/config/config.ts';
import { type Database, openDatabase } from '#lib/storage/database.ts';
import { toUtcDay } from '#lib/storage/usage-store.ts';
import { toKeyTable, toUsageTable } from './key-tables.ts';
import { type KeyCommand, keysHelp, parseKeyCommand } from './parse-key-command.ts';
import { exitWithError, print } from './terminal.ts';

/**
 * `npm run keys`: creates, lists, rotates and revokes API keys of the AI proxy, and shows their
 * usage. Only the key goes to standard output, for scripts.
 */
async function main(): Promise<void> {
  const command = parseKeyCommand(process.argv.slice(2));
  if (command.verb === 'help') {
    process.stdout.write(keysHelp);
    return;
  }
  const config = loadConfig(process.env);
  const database = await openDatabase(config.storage);
  try {
    await run(command, database, config);
  } finally {
    await database.close();
  }
}

async function run(command: KeyCommand, database: Database, config: Config): Promise<void> {
  const { pepper, ...defaults } = config.keys;
  const toHash = createKeyHasher(
    loadPepper({ keyPepper: pepper, dataDir: config.storage.dataDir }),
  );
  const register = createKeyRegister({ keys: database.keys, toHash, now: Date.now });
  switch (command.verb) {
    case 'create':
      return printKey('was created', await register.create(command.input), command.isQuiet);
    case 'rotate': {
      const issued = await register.rotate(command.reference);
      const what = 'has a new secret; the old one stops working within 5 seconds';
      return printKey(what, issued, command.isQuiet);
    }
    case 'revoke': {
      const { name } = await register.revoke(command.reference);
      return print(
        `The key ${JSON.stringify(name)} is revoked and stops working within 5 seconds.`,
      );
    }
    case 'list': {
      const keys = await database.keys.list();
      if (keys.length > 0) return print(toKeyTable(keys, defaults, Date.now()));
      return print('There are no keys yet. Create one: npm run keys -- create --name NAME');
    }
    case 'usage': {
      const { id, name } = await register.find(command.reference);
      return print(await toUsage({ id, name }, command.days, database));
    }
  }
}

async function toUsage(
  { id, name }: Readonly<{ id: string; name: string }>,
  days: number,
  database: Database,
): Promise<string> {
  const fromDay = toUtcDay(Date.now() - (days - 1) * 86_400_000);
  const sums = await database.usage.sumByDayAndModel(id, fromDay);
  if (sums.length > 0) return toUsageTable(sums);
  return `The key ${JSON.stringify(name)} has no usage since ${fromDay}.`;
}

function printKey(what: string, { text, record }: IssuedKey, isQuiet: boolean): void {
  if (!isQuiet) {
    process.stderr.write(
      `The key ${JSON.stringify(record.name)} (${record.id}) ${what}. It is shown only once:\n`,
    );
  }
  print(text);
}

main().catch(exitWithError);
