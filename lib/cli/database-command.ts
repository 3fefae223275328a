import { type Config, loadConfig } from '#lib/config/config.ts';
import { type Database, openDatabase } from '#lib/database.ts';
import { nameDatabase } from '#lib/storage/find-database.ts';
import { type Command, flag, parseArguments, print, printJson, textOption } from './command.ts';
import { requireDatabase } from './open-database.ts';

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

export type DatabaseCommandOptions = Readonly<{
  /** Such as `npm run members --`. */
  name: string;
  title: string;
  verbs: Readonly<Record<string, Verb>>;
  notes: string;
}>;

/** Creates a command that reads and changes the database. Every verb has `--json`. */
export function createDatabaseCommand(options: DatabaseCommandOptions): Command {
  const { verbs } = options;
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
    const { isJson, ...given } = readArguments(verb, args, `${options.name} ${verb.usage}`);
    const config = loadConfig(env);
    print(stderr, `Database: ${nameDatabase(config.storage)}`);
    await requireDatabase(config.storage, 'Start the server first.');
    const database = await openDatabase(config.storage);
    try {
      const { json, text } = await verb.run({ ...given, database, config });
      if (isJson) printJson(stdout, json);
      else print(stdout, text);
    } finally {
      await database.close();
    }
    return 0;
  };
}

function toHelp({ name, title, verbs, notes }: DatabaseCommandOptions): string {
  const usages = Object.values(verbs).map(({ usage }) => `  ${name} ${usage}`);
  return `${title}:\n\n${usages.join('\n')}\n\n  --json  prints the result as JSON\n\n${notes}`;
}

function readArguments(verb: Verb, args: readonly string[], command: string) {
  const usage = `Usage: ${command}`;
  const named = Object.fromEntries((verb.options ?? []).map((option) => [option, textOption]));
  const { values, positionals } = parseArguments(args, { ...named, json: flag }, usage);
  const [min, max] = verb.words;
  if (positionals.length < min || positionals.length > max) throw new Error(usage);
  const { json, ...options } = values as CommandInput['options'] & { json?: boolean };
  return { words: positionals, options, isJson: json === true };
}
