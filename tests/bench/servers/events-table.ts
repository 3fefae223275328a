import { type AirtableServer, startAirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';

export type EventsTable = Readonly<{
  airtable: AirtableServer;
  /** Settings that lead a server to the table. */
  environment: Readonly<Record<string, string>>;
}>;

/** A local table of sample events, without the upstream's limit on requests. */
export async function startEventsTable(count = 48): Promise<EventsTable> {
  const [token, baseId] = ['patBench.secret', 'appBench000000000'];
  const today = new Date().toISOString().slice(0, 10);
  const airtable = await startAirtableServer({
    token,
    baseId,
    table: 'Events',
    requestsPerSecond: 1000,
    records: sampleRecords({ today, count }),
  });
  const environment = {
    AIRTABLE_API_URL: airtable.url,
    AIRTABLE_TOKEN: token,
    AIRTABLE_BASE_ID: baseId,
  };
  return { airtable, environment };
}

/** The path of an event that is on, and its slug and id. */
export async function findEvent(url: string) {
  const response = await fetch(`${url}/api/v1/events?status=ongoing&limit=1`);
  const { data } = (await response.json()) as { data: { id: string; slug: string }[] };
  const [event] = data;
  if (event === undefined) throw new Error(`${url} lists no event.`);
  return { ...event, path: `/events/${event.slug}` };
}
