import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { readEventList } from '../support/api-responses.ts';
import { send } from '../support/http-client.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/marquee-server.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';

type Pair = readonly [MarqueeServer, MarqueeServer];

let table: AirtableServer;
let redis: RedisServer;
let apart: Pair;
let together: Pair;

beforeAll(async () => {
  table = await startTable();
  redis = await startRedis();
  const settings = toTableSettings(table);
  const shared = { ...settings, REDIS_URL: redis.url };
  apart = await Promise.all([startMarquee(settings), startMarquee(settings)]);
  together = await Promise.all([startMarquee(shared), startMarquee(shared)]);
});

afterAll(async () => {
  for (const server of [...apart, ...together]) await server.stop();
  await redis.close();
  await table.close();
});

const made = [
  ...['/api/v1/events', '/api/v1/events/SLUG', '/api/v1/events/rss', '/api/v1/events/feed.json'],
  '/index.md',
];

test.each(['/api/v1/events/calendar.ics', ...made])(
  '%s has the same bytes and the same tag in two instances that share Redis: they read once',
  async (path) => {
    const [one, two] = await sendToEach(together, path);
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
])('%s has the same bytes and the same tag in two instances', async (path) => {
  const [one, two] = await sendToEach(apart, path);
  expect(one?.status).toBe(200);
  expect(two?.text).toBe(one?.text);
  expect(two?.header('etag')).toBe(one?.header('etag'));
});

test.each(made)('%s differs between two instances in the time of the read alone', async (path) => {
  const [one, two] = (await sendToEach(apart, path)).map(({ text }) =>
    text
      .replace(
        /("generated_?[aA]t":")[^"]+|(<lastBuildDate>)[^<]+|(Last changed )[\dT:.-]+Z/g,
        '$1$2$3N',
      )
      // Attachments are signed anew for every read.
      .replace(/\/attachments\/[^"]+/g, 'N'),
  );
  expect(one).toBeTruthy();
  expect(two).toBe(one);
});

async function sendToEach(instances: Pair, path: string) {
  const [event] = readEventList(await send(instances[0], '/api/v1/events?limit=1')).data;
  const filled = path.replace('SLUG', event?.slug ?? '');
  return Promise.all(instances.map((instance) => send(instance, filled)));
}
