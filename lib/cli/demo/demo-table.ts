import type { Environment } from '#lib/config/config.ts';
import type { AirtableRecord } from '#lib/demo/airtable/airtable-record.ts';
import { startAirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { parseArguments, textOption } from '../command.ts';

export type DemoTable = Readonly<{
  /** Settings for the server to use this table. */
  environment: Environment;
  close: () => Promise<void>;
}>;

const countMax = 100_000;

/** Starts the demo's Airtable server with events around the current day. @param count by default the 48 samples. */
export async function startDemoTable(count?: number): Promise<DemoTable> {
  const records = () => {
    const today = new Date().toISOString().slice(0, 10);
    const records = sampleRecords(count === undefined ? { today } : { today, count });
    return [...records, faultyRecord];
  };
  const table = { token: 'patDemo.0000', baseId: 'appDemo0000000000', table: 'Events' };
  const server = await startAirtableServer({ ...table, records });
  return {
    environment: {
      AIRTABLE_API_URL: server.url,
      AIRTABLE_TOKEN: table.token,
      AIRTABLE_BASE_ID: table.baseId,
      AIRTABLE_TABLE: table.table,
    },
    close: server.close,
  };
}

/** A row that cannot be an event, for `/admin/events` and `npm run doctor` to show. */
const faultyRecord: AirtableRecord = {
  id: 'recFaultyRow00000',
  createdTime: '2026-01-05T10:00:00.000Z',
  fields: { Name: 'Kite Hack', 'Start Date': 'next spring', Format: 'Outdoors' },
};

/** The value of `--events`. @throws Error with one line that says what to change. */
export function readEventCount(args: readonly string[], name: string): number | undefined {
  const usage = `Usage: npm run ${name} -- [--events 10000]`;
  const { values, positionals } = parseArguments(args, { events: textOption }, usage);
  if (positionals.length > 0) throw new Error(usage);
  const { events } = values;
  if (events === undefined) return undefined;
  const count = /^\d+$/.test(events) ? Number(events) : Number.NaN;
  if (count >= 48 && count <= countMax) return count;
  throw new Error(
    `--events is ${JSON.stringify(events)}, but must be a number from 48 to ${countMax}.`,
  );
}
