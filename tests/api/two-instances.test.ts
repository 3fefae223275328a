import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { isInstalled } from '../programs.ts';
import { send } from '../support/clients/http-client.ts';
import { readEventList } from '../support/responses/api-responses.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/servers/marquee-server.ts';
import { setUpRedis } from '../support/servers/redis-server.ts';

const redis = setUpRedis();
let table: AirtableServer;
let separate: readonly MarqueeServer[] = [];
let sharing: readonly MarqueeServer[] = [];

beforeAll(async () => {
  table = await startTable();
  if (!isInstalled('redis-server')) return;
  const settings = toTableSettings(table);
  const shared = { ...settings, REDIS_URL: redis.url };
  separate = await Promise.all([startMarquee(settings), startMarquee(settings)]);
  sharing = await Promise.all([startMarquee(shared), startMarquee(shared)]);
});

afterAll(async () => {
  for (const server of [...separate, ...sharing]) await server.stop();
  await table.close();
});

const timestamped = [
  ...['/api/v1/events', '/api/v1/events/SLUG', '/api/v1/events/rss', '/api/v1/events/feed.json'],
  '/index.md',
];

test.each(['/api/v1/events/calendar.ics', ...timestamped])(
  '%s has the same bytes and ETag in two instances that share Redis',
  async (path) => {
    const [one, two] = await sendToEach(sharing, path);
    expect(one?.status).toBe(200);
    expect(two?.text).toBe(one?.text);
    expect(two?.header('etag')).toBe(one?.header('etag'));
  },
);

test.each([
  '/api/v1/events/calendar.ics',
  '/api/v1/openapi.json',
  '/llms.txt',
  '/events/SLUG.md',
  '/docs/api.md',
])('%s has the same bytes and ETag in two instances', async (path) => {
  const [one, two] = await sendToEach(separate, path);
  expect(one?.status).toBe(200);
  expect(two?.text).toBe(one?.text);
  expect(two?.header('etag')).toBe(one?.header('etag'));
});

test.each(timestamped)(
  '%s differs between two instances only in the time of the read',
  async (path) => {
    const [one, two] = (await sendToEach(separate, path)).map(({ text }) =>
      text
        .replace(
          /("generated_?[aA]t":")[^"]+|(<lastBuildDate>)[^<]+|(Last changed )[\dT:.-]+Z/g,
          '$1$2$3N',
        )
        // Each read has new signed URLs.
        .replace(/\/attachments\/[^"]+/g, 'N'),
    );
    expect(one).toBeTruthy();
    expect(two).toBe(one);
  },
);

async function sendToEach(instances: readonly MarqueeServer[], path: string) {
  const [instance] = instances;
  if (instance === undefined) throw new Error('No instance runs.');
  const [event] = readEventList(await send(instance, '/api/v1/events?limit=1')).data;
  const filled = path.replace('SLUG', event?.slug ?? '');
  return Promise.all(instances.map((one) => send(one, filled)));
}
