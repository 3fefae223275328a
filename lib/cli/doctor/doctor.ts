import { resolve } from 'node:path';
import { toSingleUpstream } from '#lib/ai-proxy/upstreams/upstream-set.ts';
import { type Config, type Environment, loadConfig } from '#lib/config/config.ts';
import { findUnknownSettings } from '#lib/config/read-settings.ts';
import { type Command, flag, parseArguments, print, printJson, startCommand } from '../command.ts';
import { examineBooks } from './examine-books.ts';
import { examineDatabase } from './examine-database.ts';
import { acceptTable, examineEvents } from './examine-events.ts';
import { examineClock, examineMachine, type Machine } from './examine-machine.ts';
import { examineUpstreams } from './examine-upstreams.ts';
import { type Finding, ok, toVerdict, warning } from './finding.ts';

/**
 * `npm run doctor`: examines everything that an instance needs, and prints each problem of the table's rows. The
 * last line says whether the instance can serve; the exit code is 1 if it cannot. With `--books` it compares
 * all balances and sums with the usage records instead, and with `--repair` corrects them; with `--accept-table` it accepts a table that lost most of
 * its events. `--json` prints the result as JSON.
 */
export function createDoctorCommand({ root }: Pick<Machine, 'root'>): Command {
  return async (args, { env, stdout }) => {
    const options = {
      books: flag,
      repair: flag,
      'accept-table': flag,
      json: flag,
      help: { ...flag, short: 'h' },
    } as const;
    const { values, positionals } = parseArguments(args, options, usage);
    if (positionals.length > 0) throw new Error(usage);
    if (values.help) {
      print(stdout, help);
      return 0;
    }
    const { books: isBooks = false, json: isJson = false } = values;
    const { 'accept-table': isAcceptance = false } = values;
    const { repair: isRepair = false } = values;
    if ((isBooks && isAcceptance) || (isRepair && !isBooks)) throw new Error(usage);
    const config = loadConfig(env);
    const findings: Finding[] = [];
    const add = (found: readonly Finding[]) => {
      findings.push(...found);
      if (isJson) return;
      for (const { name, level, text } of found) print(stdout, `${marks[level]} ${name}: ${text}`);
    };
    if (isBooks) add(await examineBooks(config, isRepair));
    else if (isAcceptance) add(await acceptTable(config));
    else await examineInstance({ root, env, config, add });
    const verdict = toVerdict(findings);
    if (isJson) printJson(stdout, { verdict, findings });
    else if (!isBooks && !isAcceptance) print(stdout, `\n${verdict}`);
    return findings.some(({ level }) => level === 'problem') ? 1 : 0;
  };
}

const usage = 'Usage: npm run doctor -- [--books [--repair] | --accept-table] [--json]';

const help = `${usage}

  --books         only compares all balances and sums with the usage records, and names usage that waits or was set aside
  --repair        makes balances and sums what the records say
  --accept-table  only accepts a table that lost most of its events at once, for all instances
  --json          prints the result as JSON

Checks everything that an instance needs. The exit code is 1 if there is a problem.`;

type Instance = Machine &
  Readonly<{
    env: Environment;
    /** Called with findings as they come: upstreams and the table take a while. */
    add: (found: readonly Finding[]) => void;
  }>;

async function examineInstance({ root, env, config, add }: Instance): Promise<void> {
  add(findUnknownSettings(env).map((text) => ({ name: 'settings', ...warning(text) })));
  add(await examineMachine({ root, config }));
  add(await examineDatabase(config));
  add([await examineClock(config.airtable.apiUrl, Date.now)]);
  add(await examineModels(config.ai));
  add(await examineEvents(config));
}

const marks = { ok: '✓', warning: '!', problem: '✗' } as const;

async function examineModels(ai: Config['ai']): Promise<Finding[]> {
  const settings = ai.upstreams ?? toSingleUpstream(ai);
  if (typeof settings !== 'string') return examineUpstreams(settings);
  return [{ name: 'upstream', ...ok(`none, since ${settings} is not set: the proxy is off`) }];
}

if (import.meta.main) {
  await startCommand(createDoctorCommand({ root: resolve(import.meta.dirname, '../../..') }));
}
