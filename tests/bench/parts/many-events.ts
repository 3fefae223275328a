import { format, measureInTurns, median, medianRatio, printTable } from '../figures.ts';
import { type Checkouts, startCheckout } from '../servers/checkout.ts';
import { findEvent, startEventsTable } from '../servers/events-table.ts';
import { load } from '../wrk.ts';
import type { ThroughputOptions } from './throughput.ts';

/** What responses of the same size cost with 10,000 events in place of 48, in turns; and the memory for them. */
export async function benchManyEvents(
  { current }: Checkouts,
  { rounds, seconds, connections, only }: ThroughputOptions,
): Promise<void> {
  const tables = [await startEventsTable(48), await startEventsTable(10_000)];
  const sites = [];
  for (const { environment } of tables) {
    const server = await startCheckout(current, { environment, path: '/api/v1/events?limit=1' });
    sites.push({ server, event: await findEvent(server.url) });
  }
  const names = ['list, limit=20', 'search, limit=20', 'item', 'rss', 'event page'];
  const lines: string[][] = [];
  for (const name of names.filter((name) => name.includes(only))) {
    const results = await measureInTurns(sites, rounds, async ({ server, event }) => {
      const paths: Record<string, string> = {
        'list, limit=20': '/api/v1/events?limit=20',
        'search, limit=20': '/api/v1/events?q=robot&limit=20',
        item: `/api/v1/events/${event.id}`,
        rss: '/api/v1/events/rss',
        'event page': event.path,
      };
      const { requestsPerSecond } = await load(server, {
        path: paths[name] ?? '/',
        seconds,
        connections,
        headers: { 'Accept-Encoding': 'br' },
      });
      return requestsPerSecond;
    });
    const [small = [], large = []] = results.values();
    lines.push([
      name,
      format(median(small)),
      format(median(large)),
      format(medianRatio(large, small), 2),
    ]);
  }
  printTable(['10,000 events', 'req/s with 48', 'req/s with 10,000', 'ratio'], lines);
  const [, large] = sites;
  const list = await fetch(`${large?.server.url}/api/v1/events`);
  await list.arrayBuffer();
  const { now, peak } = large?.server.memoryMb() ?? { now: Number.NaN, peak: Number.NaN };
  process.stdout.write(
    `\nmemory with 10,000 events after a full list: ${now} MB, peak ${peak} MB\n`,
  );
  for (const { server } of sites) await server.stop();
  for (const { airtable } of tables) await airtable.close();
}
