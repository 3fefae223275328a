import { toSingleUpstream } from '#lib/ai-proxy/upstreams/upstream-settings.ts';
import { createAirtableClient } from '#lib/airtable/client.ts';
import { type AirtableHealth, examineTable } from '#lib/airtable/examine-table.ts';
import type { RowProblem } from '#lib/airtable/record-report.ts';
import { type Config, loadConfig } from '#lib/config/config.ts';
import { createTimeZone } from '#lib/events/model/time-zone.ts';
import { examineUpstreams } from './examine-upstreams.ts';
import { exitWithError, print, toTextTable } from './terminal.ts';

/**
 * `npm run doctor`: reads the lists of the AI upstreams and the configured table, and prints their problems:
 * credentials, columns, and each record that was left out or repaired. Exits with 1 if the site could not work.
 */
async function main(): Promise<void> {
  const { ai, airtable, events } = loadConfig(process.env);
  print(await toUpstreamReport(ai));
  const { token, baseId, apiUrl, table } = airtable;
  if (token === null || baseId === null) {
    throw new Error(`${token === null ? 'AIRTABLE_TOKEN' : 'AIRTABLE_BASE_ID'} is not set.`);
  }
  const client = createAirtableClient({ apiUrl, token, baseId, table });
  try {
    print(`Reading the table “${table}” of base ${baseId} at ${apiUrl} …`);
    const health = await examineTable(client, createTimeZone(events.timeZone).dayAt);
    print(toReport(health));
    process.exitCode = health.readable && health.missingColumns.length < 2 ? 0 : 1;
  } finally {
    await client.close();
  }
}

async function toUpstreamReport(ai: Config['ai']): Promise<string> {
  const settings = ai.upstreams ?? toSingleUpstream(ai);
  if (typeof settings === 'string') return `AI upstream: none, since ${settings} is not set.`;
  return (await examineUpstreams(settings)).join('\n');
}

function toReport(health: AirtableHealth): string {
  if (!health.readable) return `The table cannot be read: ${health.advice}`;
  const { missingColumns, unusedColumns, records, events, problems } = health;
  const columns =
    missingColumns.length === 0
      ? 'Columns: complete.'
      : `Missing columns: ${missingColumns.join(', ')}.`;
  const unused =
    unusedColumns.length === 0 ? '' : ` Optional columns not in use: ${unusedColumns.join(', ')}.`;
  const rows =
    problems.length === 0
      ? 'Rows: no problems.'
      : `Rows left out and cells repaired:\n\n${toTextTable(problemHeadings, problems.map(toRow))}`;
  return `Credentials: valid. Records: ${records}. Events on the site: ${events}.\n${columns}${unused}\n${rows}`;
}

const problemHeadings = ['record', 'column', 'value', 'result'];

function toRow({ recordId, column, value, reason, done }: RowProblem): string[] {
  return [recordId, column, value, `${done}: ${reason.replaceAll('_', ' ')}`];
}

main().catch(exitWithError);
