import { parseArgs } from 'node:util';
import type { CreateKeyInput } from '#lib/ai-proxy/keys/create-key-input.ts';

/** What an operator asks of `npm run keys`. */
export type KeyCommand =
  | Readonly<{ verb: 'create'; wish: CreateKeyInput; isQuiet: boolean }>
  | Readonly<{ verb: 'rotate'; reference: string; isQuiet: boolean }>
  | Readonly<{ verb: 'revoke'; reference: string }>
  | Readonly<{ verb: 'list' }>
  | Readonly<{ verb: 'usage'; reference: string; days: number }>
  | Readonly<{ verb: 'help' }>;

const command = 'npm run keys --';
const forms = {
  create:
    'create --name NAME [--expires 2027-01-31] [--models ID,PREFIX/*] [--rpm N] [--tpd N] [--quiet]',
  list: 'list',
  revoke: 'revoke NAME-OR-ID',
  rotate: 'rotate NAME-OR-ID [--quiet]',
  usage: 'usage NAME-OR-ID [--days 30]',
} as const;
type Verb = keyof typeof forms;

export const keysHelp = `Keys of the AI proxy:

${Object.values(forms)
  .map((form) => `  ${command} ${form}`)
  .join('\n')}

  --expires  the last day (UTC) on which the key works, or a moment such as 2027-01-31T12:00:00Z
  --models   the models that it may use; all, where it is left out
  --rpm      requests a minute; --tpd  tokens a day: in place of the settings' own
  --quiet    prints the key and nothing else

The key itself is printed once, on standard output; it is not kept. The id, and the key, do where a name does.
`;

const daysMax = 3_660;

/** @throws Error that says in one line what to change. */
export function parseKeyCommand(given: readonly string[]): KeyCommand {
  const [verb, ...rest] = given;
  switch (verb) {
    case 'create':
      return readCreate(rest);
    case 'list':
      readWords('list', rest, {}, 0);
      return { verb };
    case 'revoke':
      return { verb, reference: readWords(verb, rest, {}, 1).word };
    case 'rotate': {
      const { word, values } = readWords(verb, rest, { quiet: { type: 'boolean' } }, 1);
      return { verb, reference: word, isQuiet: values.quiet === true };
    }
    case 'usage': {
      const { word, values } = readWords(verb, rest, { days: { type: 'string' } }, 1);
      return { verb, reference: word, days: readDays(values.days) };
    }
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      return { verb: 'help' };
    default:
      throw new Error(
        `There is no command ${JSON.stringify(verb)}: ${Object.keys(forms).join(', ')} and help are there.`,
      );
  }
}

function readCreate(given: readonly string[]): KeyCommand {
  const text = { type: 'string' } as const;
  const options = { name: text, expires: text, models: text, rpm: text, tpd: text } as const;
  const { values } = readWords('create', given, { ...options, quiet: { type: 'boolean' } }, 0);
  const { name, expires, models, rpm, tpd } = values;
  if (typeof name !== 'string')
    throw new Error(`A key needs a name: ${command} create --name NAME`);
  const wish = {
    name,
    models: typeof models === 'string' ? models.split(',').map((model) => model.trim()) : null,
    requestsPerMinute: readCount('--rpm', rpm),
    tokensPerDay: readCount('--tpd', tpd),
    expiresAt: readExpiry(expires),
  };
  return { verb: 'create', wish, isQuiet: values.quiet === true };
}

type Options = Readonly<Record<string, Readonly<{ type: 'string' | 'boolean' }>>>;
type Given = string | boolean | undefined;

function readWords(
  verb: Verb,
  args: readonly string[],
  options: Options,
  count: 0 | 1,
): Readonly<{ word: string; values: Readonly<Record<string, Given>> }> {
  const { values, positionals } = parseStrictly(verb, args, options);
  const [word = ''] = positionals;
  if (positionals.length !== count || (count === 1 && word === '')) {
    throw new Error(`It goes like this: ${command} ${forms[verb]}`);
  }
  return { word, values };
}

function parseStrictly(verb: Verb, args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Its own text runs on about how to pass such a word all the same.
    const [problem] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/);
    throw new Error(`${problem}. It goes like this: ${command} ${forms[verb]}`);
  }
}

function readCount(option: string, given: Given): number | null {
  if (given === undefined) return null;
  if (typeof given === 'string' && /^\d{1,15}$/.test(given)) return Number(given);
  throw new Error(`${option} takes a whole number, such as 100; not ${JSON.stringify(given)}.`);
}

function readDays(given: Given): number {
  const days = readCount('--days', given) ?? 30;
  if (days >= 1 && days <= daysMax) return days;
  throw new Error(`--days takes a whole number from 1 to ${daysMax}.`);
}

/** A day counts to its end, in UTC. */
function readExpiry(given: Given): number | null {
  if (given === undefined) return null;
  const text = String(given);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const time = isDay || isMoment ? Date.parse(text) : Number.NaN;
  // Date.parse takes 30 February for 2 March.
  const isReal = isMoment || new Date(time || 0).toISOString().startsWith(text);
  if (Number.isNaN(time) || !isReal) {
    throw new Error(
      `--expires takes a day, such as 2027-01-31, or a moment, such as 2027-01-31T12:00:00Z; not ${JSON.stringify(text)}.`,
    );
  }
  return isDay ? time + 86_400_000 : time;
}
