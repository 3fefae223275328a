import type { Log } from '#lib/http/log.ts';

type GroupedLogOptions = Readonly<{
  /** How long lines of a group are counted before the next one is written, ms. */
  intervalMs?: number;
}>;

type Group = { readonly timer: NodeJS.Timeout; count: number; write: (count: number) => void };

/** Fields that tell problems apart; all others, such as request ids, differ from line to line. */
const groupFields: readonly string[] = [
  'code',
  'reason',
  'problem',
  'status',
  'route',
  'client',
  'member',
  'upstream',
  'circuit',
  'path',
  'balance',
  'query',
];
/** Lines beyond so many groups are one group for each message. */
const groupsMax = 1000;

/**
 * Writes the first of several equal warnings or errors, then one a minute with their count (`repeated`): an outage
 * would write dozens of lines a second otherwise.
 */
export function createGroupedLog(log: Log, { intervalMs = 60_000 }: GroupedLogOptions = {}): Log {
  const groups = new Map<string, Group>();

  function startGroup(key: string): void {
    const timer = setInterval(() => {
      const group = groups.get(key);
      if (group === undefined || group.count === 0) {
        clearInterval(timer);
        groups.delete(key);
        return;
      }
      group.write(group.count);
      group.count = 0;
    }, intervalMs).unref();
    groups.set(key, { timer, count: 0, write: () => {} });
  }

  function group(level: 'warn' | 'error', fields: object, message: string): void {
    const own = `${level} ${message} ${toGroupText(fields)}`;
    const key = groups.has(own) || groups.size < groupsMax ? own : `${level} ${message}`;
    const known = groups.get(key);
    if (known === undefined) {
      startGroup(key);
      log[level](fields, message);
      return;
    }
    known.count += 1;
    known.write = (repeated) => log[level]({ ...fields, repeated }, message);
  }

  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => group('warn', fields, message),
    error: (fields, message) => group('error', fields, message),
  };
}

function toGroupText(fields: object): string {
  const known = fields as Readonly<Record<string, unknown>>;
  const { err } = known;
  const cause = err instanceof Error ? `${err.name} ${err.message}` : null;
  return JSON.stringify([cause, ...groupFields.map((name) => known[name])]);
}
