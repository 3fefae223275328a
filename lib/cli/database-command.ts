import type { Paging } from '#lib/admin/paging.ts';
import { type Config, loadConfig } from '#lib/config/config.ts';
import type { Database } from '#lib/storage/database.ts';
import { hasDatabase, nameDatabase } from '#lib/storage/find-database.ts';
import { openDatabaseToChange } from './open-database.ts';
import { exitWithError, parseArguments, print } from './terminal.ts';

/** What a command has done or found, as JSON and for people. */
export type Result = Readonly<{ json: unknown; text: string }>;

export type CommandInput = Readonly<{
  words: readonly string[];
  options: Readonly<Record<string, string | undefined>>;
  database: Database;
  config: Config;
}>;

export type Verb = Readonly<{
  /** Its words and options, such as `budget MEMBER BUDGET`. */
  usage: string;
  /** How many words follow the verb, at least and at most. */
  words: readonly [min: number, max: number];
  options?: readonly string[];
  /** @throws Error with one line that says what to change. */
  run: (input: CommandInput) => Promise<Result>;
}>;

export type DatabaseCommand = Readonly<{
  /** Such as `npm run members --`. */
  name: string;
  title: string;
  verbs: Readonly<Record<string, Verb>>;
  notes: string;
}>;

/** Runs a program of `npm run …` that reads and changes the database. Every verb has `--json`. */
export function runDatabaseCommand(command: DatabaseCommand): void {
  run(command, process.argv.slice(2)).catch(exitWithError);
}

async function run(
  command: DatabaseCommand,
  [name = 'help', ...args]: readonly string[],
): Promise<void> {
  if (['help', '--help', '-h'].includes(name)) return print(toHelp(command));
  const verb = Object.hasOwn(command.verbs, name) ? command.verbs[name] : undefined;
  if (verb === undefined) {
    const known = [...Object.keys(command.verbs), 'help'].join(', ');
    throw new Error(`Unknown command ${JSON.stringify(name)}. Commands: ${known}.`);
  }
  const { words, options, isJson } = readArguments(command, verb, args);
  const config = loadConfig(process.env);
  const place = nameDatabase(config.storage);
  process.stderr.write(`Database: ${place}\n`);
  // A wrong DATA_DIR or DATABASE_URL would otherwise look like an empty one.
  if (!(await hasDatabase(config.storage))) {
    throw new Error(`There is no Marquee database yet (${place}). Start the server first.`);
  }
  const database = await openDatabaseToChange(config.storage);
  try {
    const { json, text } = await verb.run({ words, options, database, config });
    print(isJson ? JSON.stringify(json, null, 2) : text);
  } finally {
    await database.close();
  }
}

function toHelp({ name, title, verbs, notes }: DatabaseCommand): string {
  const usages = Object.values(verbs).map(({ usage }) => `  ${name} ${usage}`);
  return `${title}:\n\n${usages.join('\n')}\n\n  --json  prints the result as JSON\n\n${notes}`;
}

function readArguments(command: DatabaseCommand, verb: Verb, args: readonly string[]) {
  const usage = `Usage: ${command.name} ${verb.usage}`;
  const [min, max] = verb.words;
  const text = { type: 'string' } as const;
  const named = Object.fromEntries((verb.options ?? []).map((option) => [option, text]));
  const { values, positionals } = parseArguments(args, named, usage);
  if (positionals.length < min || positionals.length > max) throw new Error(usage);
  const { json, ...options } = values as CommandInput['options'] & { json?: boolean };
  return { words: positionals, options, isJson: json === true };
}

/** A table with the number of its page, if there are several. */
export function toPageText(table: string, { page, pages }: Paging): string {
  return pages === 1 ? table : `${table}\n\nPage ${page} of ${pages}: --page N`;
}
