import { parseArgs } from 'node:util';
import type { CreateKeyInput } from '#lib/ai-proxy/keys/create-key-input.ts';

/** A parsed command line of `npm run keys`. */
export type KeyCommand =
  | Readonly<{ verb: 'create'; input: CreateKeyInput; isQuiet: boolean }>
  | Readonly<{ verb: 'rotate'; reference: string; isQuiet: boolean }>
  | Readonly<{ verb: 'revoke'; reference: string }>
  | Readonly<{ verb: 'list' }>
  | Readonly<{ verb: 'usage'; reference: string; days: number }>
  | Readonly<{ verb: 'help' }>;

const command = 'npm run keys --';
const usages = {
  create:
    'create --name NAME [--expires 2027-01-31] [--models ID,PREFIX/*] [--rpm N] [--tpd N] [--messages on|off] [--quiet]',
  list: 'list',
  revoke: 'revoke NAME-OR-ID',
  rotate: 'rotate NAME-OR-ID [--quiet]',
  usage: 'usage NAME-OR-ID [--days 30]',
} as const;
type Verb = keyof typeof usages;

export const keysHelp = `Keys of the AI proxy:

${Object.values(usages)
  .map((usage) => `  ${command} ${usage}`)
  .join('\n')}

  --expires  the last day (UTC) on which the key works, or a time such as 2027-01-31T12:00:00Z
  --models   the models that the key may use (default: all)
  --rpm      requests per minute; --tpd  tokens per day (default: the settings)
  --messages whether the key may use the Messages API: on or off (default: the settings)
  --quiet    prints only the key

The key is printed once, on standard output, and not stored. Commands accept a name, an id or a key.
`;

const daysMax = 3_660;

/** @throws Error with a one-line message. */
export function parseKeyCommand(args: readonly string[]): KeyCommand {
  const [verb, ...rest] = args;
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
        `Unknown command ${JSON.stringify(verb)}. Commands: ${Object.keys(usages).join(', ')}, help.`,
      );
  }
}

function readCreate(args: readonly string[]): KeyCommand {
  const text = { type: 'string' } as const;
  const options = { name: text, expires: text, models: text, rpm: text, tpd: text } as const;
  const all = { ...options, messages: text, quiet: { type: 'boolean' } } as const;
  const { values } = readWords('create', args, all, 0);
  const { name, expires, models, rpm, tpd, messages } = values;
  if (typeof name !== 'string')
    throw new Error(`A key needs a name: ${command} create --name NAME`);
  const input = {
    name,
    models: typeof models === 'string' ? models.split(',').map((model) => model.trim()) : null,
    requestsPerMinute: readCount('--rpm', rpm),
    tokensPerDay: readCount('--tpd', tpd),
    mayUseMessages: readSwitch('--messages', messages),
    expiresAt: readExpiry(expires),
  };
  return { verb: 'create', input, isQuiet: values.quiet === true };
}

type Options = Readonly<Record<string, Readonly<{ type: 'string' | 'boolean' }>>>;
type OptionValue = string | boolean | undefined;

function readWords(
  verb: Verb,
  args: readonly string[],
  options: Options,
  count: 0 | 1,
): Readonly<{ word: string; values: Readonly<Record<string, OptionValue>> }> {
  const { values, positionals } = parseStrictly(verb, args, options);
  const [word = ''] = positionals;
  if (positionals.length !== count || (count === 1 && word === '')) {
    throw new Error(`Usage: ${command} ${usages[verb]}`);
  }
  return { word, values };
}

function parseStrictly(verb: Verb, args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Only the first sentence: Node's message goes on with advice.
    const [problem] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/);
    throw new Error(`${problem}. Usage: ${command} ${usages[verb]}`);
  }
}

function readCount(option: string, value: OptionValue): number | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  throw new Error(`${option} must be a whole number such as 100, not ${JSON.stringify(value)}.`);
}

function readSwitch(option: string, value: OptionValue): boolean | null {
  if (value === undefined) return null;
  if (value === 'on' || value === 'off') return value === 'on';
  throw new Error(`${option} must be on or off, not ${JSON.stringify(value)}.`);
}

function readDays(value: OptionValue): number {
  const days = readCount('--days', value) ?? 30;
  if (days >= 1 && days <= daysMax) return days;
  throw new Error(`--days must be a whole number from 1 to ${daysMax}.`);
}

/** A date means the end of that day in UTC. Returns Unix ms. */
function readExpiry(value: OptionValue): number | null {
  if (value === undefined) return null;
  const text = String(value);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const time = isDay || isMoment ? Date.parse(text) : Number.NaN;
  // Date.parse turns 30 February into 2 March.
  const isReal = isMoment || new Date(time || 0).toISOString().startsWith(text);
  if (Number.isNaN(time) || !isReal) {
    throw new Error(
      `--expires must be a date such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z, not ${JSON.stringify(text)}.`,
    );
  }
  return isDay ? time + 86_400_000 : time;
}
