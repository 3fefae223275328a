import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AirtableServer } from '#lib/demo/airtable-server.ts';
import { readEventList } from '../support/api-forms.ts';
import { ask } from '../support/http-client.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/marquee-server.ts';

let table: AirtableServer;
let instances: readonly MarqueeServer[];

beforeAll(async () => {
  table = await startTable();
  const settings = toTableSettings(table);
  instances = await Promise.all([startMarquee(settings), startMarquee(settings)]);
});

afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await table.close();
});

test.each([
  '/api/v1/events/calendar.ics',
  '/api/v1/openapi.json',
  '/llms.txt',
  '/events/SLUG.md',
  '/docs/api.md',
])('%s has the same bytes and the same tag in two instances', async (path) => {
  const [one, two] = await askEach(path);
  expect(one?.status).toBe(200);
  expect(two?.text).toBe(one?.text);
  expect(two?.header('etag')).toBe(one?.header('etag'));
});

test.each([
  '/api/v1/events',
  '/api/v1/events/SLUG',
  '/api/v1/events/rss',
  '/api/v1/events/feed.json',
  '/index.md',
])('%s differs between two instances in the time of the read alone', async (path) => {
  const [one, two] = (await askEach(path)).map(({ text }) =>
    text
      .replace(/("generated_?[aA]t":")[^"]+|(<lastBuildDate>)[^<]+|(Read )[\dT:.-]+Z/g, '$1$2$3N')
      // Attachments are signed anew for every read.
      .replace(/\/attachments\/[^"]+/g, 'N'),
  );
  expect(one).toBeTruthy();
  expect(two).toBe(one);
});

async function askEach(path: string) {
  const [first] = instances;
  if (first === undefined) throw new Error('No instance');
  const [event] = readEventList(await ask(first, '/api/v1/events?limit=1')).data;
  const filled = path.replace('SLUG', event?.slug ?? '');
  return Promise.all(instances.map((instance) => ask(instance, filled)));
}
