import { resolve } from 'node:path';
import { toSingleUpstream } from '#lib/ai-proxy/upstreams/upstream-settings.ts';
import { type Config, type Environment, loadConfig } from '#lib/config/config.ts';
import { findMisspelledSettings } from '#lib/config/read-settings.ts';
import { createTimeZone } from '#lib/events/model/time-zone.ts';
import { createAirtableClient } from '#lib/events/source/airtable/client.ts';
import { type AirtableHealth, examineTable } from '#lib/events/source/airtable/examine-table.ts';
import type { RowProblem } from '#lib/events/source/airtable/record-report.ts';
import { type Command, flag, parseArguments, print, printJson, startCommand } from '../command.ts';
import { toTextTable } from '../terminal.ts';
import { examineBooks } from './examine-books.ts';
import { examineClock } from './examine-clock.ts';
import { examineMachine, type Machine } from './examine-machine.ts';
import { examineStores } from './examine-stores.ts';
import { examineUpstreams } from './examine-upstreams.ts';
import { type Finding, ok, problem, toVerdict, warning } from './finding.ts';

/**
 * `npm run doctor`: examines everything that an instance needs, and prints each problem of the table's rows. The
 * last line says whether the instance can serve; the exit code is 1 if it cannot. With `--books` it compares
 * all balances with the usage records instead. `--json` prints the result as JSON.
 */
export function createDoctorCommand({ root }: Pick<Machine, 'root'>): Command {
  return async (args, { env, stdout }) => {
    const options = { books: flag, json: flag, help: { ...flag, short: 'h' } } as const;
    const { values, positionals } = parseArguments(args, options, usage);
    if (positionals.length > 0) throw new Error(usage);
    if (values.help) {
      print(stdout, help);
      return 0;
    }
    const { books: isBooks = false, json: isJson = false } = values;
    const config = loadConfig(env);
    const findings: Finding[] = [];
    const add = (found: readonly Finding[]) => {
      findings.push(...found);
      if (isJson) return;
      for (const { name, level, text } of found) print(stdout, `${marks[level]} ${name}: ${text}`);
    };
    if (isBooks) add(await examineBooks(config));
    else await examineInstance({ root, env, config, add });
    const verdict = toVerdict(findings);
    if (isJson) printJson(stdout, { verdict, findings });
    else if (!isBooks) print(stdout, `\n${verdict}`);
    return findings.some(({ level }) => level === 'problem') ? 1 : 0;
  };
}

const usage = 'Usage: npm run doctor -- [--books] [--json]';

const help = `${usage}

  --books  compares all balances with the usage records, and names usage that waits or was set aside, instead
  --json   prints the result as JSON

Checks everything that an instance needs. The exit code is 1 if there is a problem.`;

type Instance = Machine &
  Readonly<{
    env: Environment;
    /** Called with findings as they come: upstreams and the table take a while. */
    add: (found: readonly Finding[]) => void;
  }>;

async function examineInstance({ root, env, config, add }: Instance): Promise<void> {
  add(findMisspelledSettings(env).map((text) => ({ name: 'settings', ...warning(text) })));
  add(await examineMachine({ root, config }));
  add(await examineStores(config));
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

async function examineEvents({ airtable, events }: Config): Promise<Finding[]> {
  const name = 'table';
  const { token, baseId, apiUrl, table } = airtable;
  if (token === null || baseId === null) {
    const missing = token === null ? 'AIRTABLE_TOKEN' : 'AIRTABLE_BASE_ID';
    return [{ name, ...problem(`${missing} is not set.`) }];
  }
  const client = createAirtableClient({ apiUrl, token, baseId, table });
  try {
    const health = await examineTable(client, createTimeZone(events.timeZone).dayAt);
    return toTableFindings(health, `“${table}” of base ${baseId} at ${apiUrl}`);
  } finally {
    await client.close();
  }
}

function toTableFindings(health: AirtableHealth, title: string): Finding[] {
  const name = 'table';
  if (!health.readable) return [{ name, ...problem(`${title} cannot be read: ${health.advice}`) }];
  const { missingColumns, unusedColumns, records, events, problems } = health;
  const columns =
    missingColumns.length === 0
      ? ok('complete')
      : // With one missing the site works, and shows less.
        (missingColumns.length === 1 ? warning : problem)(`missing: ${missingColumns.join(', ')}`);
  const unused =
    unusedColumns.length === 0 ? '' : `; optional, unused: ${unusedColumns.join(', ')}`;
  const rows = toTextTable(problemHeadings, problems.map(toRow));
  return [
    { name, ...ok(`${title}: ${records} records, ${events} events on the site`) },
    { name: 'columns', ...columns, text: columns.text + unused },
    problems.length === 0
      ? { name: 'rows', ...ok('no problems') }
      : { name: 'rows', ...warning(`left out or repaired:\n\n${rows}\n`), rows: problems },
  ];
}

const problemHeadings = ['record', 'column', 'value', 'result'];

function toRow({ recordId, column, value, reason, done }: RowProblem): string[] {
  return [recordId, column, value, `${done}: ${reason.replaceAll('_', ' ')}`];
}

if (import.meta.main) {
  await startCommand(createDoctorCommand({ root: resolve(import.meta.dirname, '../../..') }));
}
