import type { Environment } from '#lib/config/config.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import {
  startTable,
  type Table,
  toDay,
  toTableSettings,
} from '../../support/servers/marquee-server.ts';

export type EventsTable = Readonly<{
  airtable: Table;
  /** Settings that lead a server to the table. */
  environment: Environment;
}>;

/** A local table of sample events, without the upstream's limit on requests. */
export async function startEventsTable(count = 48): Promise<EventsTable> {
  const records = sampleRecords({ today: toDay(Date.now()), count });
  const airtable = await startTable({ requestsPerSecond: 1000, records });
  return { airtable, environment: toTableSettings(airtable) };
}

/** The path of an event that is on, and its slug and id. */
export async function findEvent(url: string) {
  const response = await fetch(`${url}/api/v1/events?status=ongoing&limit=1`);
  const { data } = (await response.json()) as { data: { id: string; slug: string }[] };
  const [event] = data;
  if (event === undefined) throw new Error(`${url} lists no event.`);
  return { ...event, path: `/events/${event.slug}` };
}
