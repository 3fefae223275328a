import { type Config, loadConfig } from '#lib/config/config.ts';
import { type Database, openDatabase } from '#lib/database.ts';
import { hasDatabase, nameDatabase } from '#lib/storage/find-database.ts';
import { type Command, flag, parseArguments, print, printJson, textOption } from './command.ts';

/** What a command has done or found, as JSON and for people. */
export type Result = Readonly<{
  json: unknown;
  text: string;
  /** Goes to standard error, beside a text for scripts. */
  note?: string;
  /** It has found a problem: the exit code is 1. */
  isFailed?: boolean;
}>;

type Arguments = Readonly<{
  words: readonly string[];
  options: Readonly<Record<string, string | undefined>>;
}>;

export type CommandInput = Arguments & Readonly<{ database: Database; config: Config }>;

export type Verb = Readonly<{
  /** Its words and options, such as `budget MEMBER BUDGET`. */
  usage: string;
  /** How many words follow the verb, at least and at most. */
  words: readonly [min: number, max: number];
  options?: readonly string[];
  /** `quiet`: prints only the text. `create-database`: if there is none. */
  flags?: readonly ('quiet' | 'create-database')[];
  /** Before the database is opened. @throws Error with one line that says what to change. */
  check?: (input: Arguments) => void;
  /** @throws Error with one line that says what to change. */
  run: (input: CommandInput) => Promise<Result>;
}>;

type DatabaseCommandOptions = Readonly<{
  /** Such as `npm run members --`. */
  name: string;
  title: string;
  verbs: Readonly<Record<string, Verb>>;
  /** Explains the options, with `--json`. */
  optionsHelp?: string;
  notes: string;
  /** What to do if there is no database. */
  databaseAdvice?: string;
}>;

/** Creates a command that reads and changes the database. Every verb has `--json`. */
export function createDatabaseCommand(options: DatabaseCommandOptions): Command {
  const { verbs, databaseAdvice = 'Start the server first.' } = options;
  return async ([name = 'help', ...args], { env, stdout, stderr }) => {
    if (['help', '--help', '-h'].includes(name)) {
      print(stdout, toHelp(options));
      return 0;
    }
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    if (verb === undefined) {
      const known = [...Object.keys(verbs), 'help'].join(', ');
      throw new Error(`Unknown command ${JSON.stringify(name)}. Commands: ${known}.`);
    }
    const { flags, ...given } = readArguments(verb, args, `${options.name} ${verb.usage}`);
    verb.check?.(given);
    const config = loadConfig(env);
    if (!flags.quiet) print(stderr, `Database: ${nameDatabase(config.storage)}`);
    if (!flags['create-database']) await requireDatabase(config.storage, databaseAdvice);
    const database = await openDatabase(config.storage);
    try {
      const { json, text, note, isFailed } = await verb.run({ ...given, database, config });
      if (note !== undefined && !flags.json && !flags.quiet) print(stderr, note);
      if (flags.json) printJson(stdout, json);
      else print(stdout, text);
      return isFailed ? 1 : 0;
    } finally {
      await database.close();
    }
  };
}

function toHelp(options: DatabaseCommandOptions): string {
  const { name, title, verbs, notes } = options;
  const { optionsHelp = '  --json  prints the result as JSON' } = options;
  const usages = Object.values(verbs).map(({ usage }) => `  ${name} ${usage}`);
  return `${title}:\n\n${usages.join('\n')}\n\n${optionsHelp}\n\n${notes}`;
}

type Flags = Readonly<Partial<Record<'json' | 'quiet' | 'create-database', boolean>>>;
type Options = Arguments['options'];

function readArguments(verb: Verb, args: readonly string[], command: string) {
  const usage = `Usage: ${command}`;
  const named = Object.fromEntries((verb.options ?? []).map((option) => [option, textOption]));
  const switches = Object.fromEntries((verb.flags ?? []).map((name) => [name, flag]));
  const known = { ...named, ...switches, json: flag };
  const { values, positionals } = parseArguments(args, known, usage);
  const [min, max] = verb.words;
  if (positionals.length < min || positionals.length > max) throw new Error(usage);
  const { json, quiet, 'create-database': create, ...options } = values as Flags & Options;
  return { words: positionals, options, flags: { json, quiet, 'create-database': create } };
}

/**
 * A wrong DATA_DIR or DATABASE_URL would otherwise look like an empty database.
 * @throws Error of one line if there is none.
 */
export async function requireDatabase(storage: Config['storage'], advice?: string): Promise<void> {
  if (await hasDatabase(storage)) return;
  const problem = `There is no Marquee database yet (${nameDatabase(storage)}).`;
  throw new Error(advice === undefined ? problem : `${problem} ${advice}`);
}
