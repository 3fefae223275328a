import type { CreateKeyInput } from '#lib/keys/create-key-input.ts';
import { flag, parseArguments, textOption } from '../command.ts';
import {
  type OptionValue,
  readBudget,
  readCount,
  readDays,
  readExpiry,
  readModels,
} from './key-options.ts';

type Reference = Readonly<{ reference: string }>;

/** A parsed command line of `npm run keys`; `isJson`: the result is printed as JSON. */
export type KeyCommand = Readonly<{ isJson: boolean }> &
  (
    | Readonly<{
        verb: 'create';
        input: CreateKeyInput;
        isQuiet: boolean;
        /** Whether a database is created if there is none. */
        mayCreateDatabase: boolean;
      }>
    | (Reference & Readonly<{ verb: 'rotate'; isQuiet: boolean }>)
    | (Reference & Readonly<{ verb: 'revoke' }>)
    | (Reference & Readonly<{ verb: 'update'; changes: Partial<CreateKeyInput> }>)
    | Readonly<{ verb: 'list' }>
    /** Null: of all keys. */
    | Readonly<{ verb: 'usage'; reference: string | null; days: number }>
    | Readonly<{ verb: 'help' }>
  );

const command = 'npm run keys --';
const limits =
  '[--expires 2027-01-31] [--models ID,PREFIX/*] [--rpm N] [--tpd N] [--budget BUDGET]';
const usages = {
  create: `create --name NAME ${limits} [--quiet] [--create-database]`,
  list: 'list',
  update: `update NAME-OR-ID [--name NAME] ${limits}`,
  revoke: 'revoke NAME-OR-ID',
  rotate: 'rotate NAME-OR-ID [--quiet]',
  usage: 'usage [NAME-OR-ID] [--days 30]',
} as const;
type Verb = keyof typeof usages;

export const keysHelp = `Keys of the AI proxy:

${Object.values(usages)
  .map((usage) => `  ${command} ${usage}`)
  .join('\n')}

  --expires  the last day (UTC) on which the key works, or a time such as 2027-01-31T12:00:00Z; or never
  --models   the models that the key may use; or all (default)
  --rpm      requests per minute; or default (the settings)
  --tpd      tokens per day; or default (the settings)
  --budget   dollars and tokens per day and month, such as "5 USD/day, 50 USD/month"; or none (default)
  --quiet    prints only the key
  --json     prints the result as JSON
  --create-database  also creates the database, if the server has not run yet

The key is printed once, on standard output, and not stored. NAME-OR-ID can also be the key itself. update changes only
the options you give. usage without a key shows the usage of all keys.
`;

const limitOptions = {
  ...{ name: textOption, expires: textOption, models: textOption, rpm: textOption },
  ...{ tpd: textOption, budget: textOption },
} as const;

/** @throws Error with a one-line message. */
export function parseKeyCommand(args: readonly string[]): KeyCommand {
  const [verb, ...rest] = args;
  switch (verb) {
    case 'create':
      return readCreate(rest);
    case 'list':
      return { verb, isJson: readWords(verb, rest, {}, 'no-word').isJson };
    case 'revoke': {
      const { word, isJson } = readWords(verb, rest, {}, 'one-word');
      return { verb, reference: word, isJson };
    }
    case 'rotate': {
      const { word, values, isJson } = readWords(verb, rest, { quiet: flag }, 'one-word');
      return { verb, reference: word, isQuiet: values.quiet === true, isJson };
    }
    case 'update':
      return readUpdate(rest);
    case 'usage': {
      const { word, values, isJson } = readWords(
        verb,
        rest,
        { days: textOption },
        'one-or-no-word',
      );
      return { verb, reference: word === '' ? null : word, days: readDays(values.days), isJson };
    }
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      return { verb: 'help', isJson: false };
    default:
      throw new Error(
        `Unknown command ${JSON.stringify(verb)}. Commands: ${Object.keys(usages).join(', ')}, help.`,
      );
  }
}

function readCreate(args: readonly string[]): KeyCommand {
  const options = { ...limitOptions, quiet: flag, 'create-database': flag } as const;
  const { values, isJson } = readWords('create', args, options, 'no-word');
  const { name, expires, models, rpm, tpd, budget } = values;
  if (typeof name !== 'string')
    throw new Error(`A key needs a name: ${command} create --name NAME`);
  const input = {
    name,
    models: readModels(models),
    requestsPerMinute: readCount('--rpm', rpm),
    tokensPerDay: readCount('--tpd', tpd),
    budget: readBudget(budget),
    expiresAt: readExpiry(expires),
  };
  return {
    verb: 'create',
    input,
    isQuiet: values.quiet === true,
    mayCreateDatabase: values['create-database'] === true,
    isJson,
  };
}

function readUpdate(args: readonly string[]): KeyCommand {
  const { word, values, isJson } = readWords('update', args, limitOptions, 'one-word');
  const { name, expires, models, rpm, tpd, budget } = values;
  const changes: Partial<CreateKeyInput> = {
    ...(typeof name === 'string' && { name }),
    ...(models !== undefined && { models: readModels(models) }),
    ...(rpm !== undefined && { requestsPerMinute: readCount('--rpm', rpm) }),
    ...(tpd !== undefined && { tokensPerDay: readCount('--tpd', tpd) }),
    ...(budget !== undefined && { budget: readBudget(budget) }),
    ...(expires !== undefined && { expiresAt: readExpiry(expires) }),
  };
  if (Object.keys(changes).length > 0) {
    return { verb: 'update', reference: word, changes, isJson };
  }
  throw new Error(`Say what to change. Usage: ${command} ${usages.update}`);
}

type Options = Readonly<Record<string, Readonly<{ type: 'string' | 'boolean' }>>>;

function readWords(
  verb: Verb,
  args: readonly string[],
  options: Options,
  words: 'no-word' | 'one-word' | 'one-or-no-word',
): Readonly<{
  word: string;
  values: Readonly<Record<string, OptionValue>>;
  isJson: boolean;
}> {
  const usage = `Usage: ${command} ${usages[verb]}`;
  const { values, positionals } = parseArguments(args, { ...options, json: flag }, usage);
  const [word = ''] = positionals;
  const isMissing = words === 'one-word' && word === '';
  if (isMissing || positionals.length > (words === 'no-word' ? 0 : 1)) {
    throw new Error(usage);
  }
  return { word, values, isJson: values.json === true };
}
