import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { ToPicture } from '#lib/events/model/schema.ts';
import { createTimeZone } from '#lib/events/model/zoned-time.ts';
import { createEventsLoader, refreshAheadAt } from '#lib/events/source/loader.ts';
import { createSharedSource, type GetOrLoad } from '#lib/events/source/shared-source.ts';
import type { EventsSource } from '#lib/events/source/source.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { createSharedRedis } from '#lib/redis/redis.ts';
import { createSharedCache } from '#lib/redis/shared-cache.ts';
import { makeDraft, makeDrafts } from '../../../support/factories/draft-factory.ts';
import { hostileText } from '../../../support/factories/hostile-text.ts';
import { setUpRedis } from '../../../support/servers/redis-server.ts';
import { createTestLog } from '../../../support/test-log.ts';

const server = setUpRedis();
beforeEach(() => server.empty());

/** Two instances with one Redis, and a table that counts how often it is read. */
function openTwo({
  drafts = makeDrafts(3),
  cacheSeconds = 240,
  toPictures = [] as readonly ToPicture[],
} = {}) {
  const table = { reads: 0, isDown: false };
  const signedUrls = new Map(
    drafts.map(({ id }) => [id, { logo: `https://files.example/${id}?signed`, background: null }]),
  );
  const source: EventsSource = {
    async read() {
      table.reads += 1;
      if (table.isDown)
        throw createApiError('upstream_error', { message: 'No.', reason: 'timeout' });
      return { drafts, signedUrls, repairs: { left_out: table.reads } };
    },
  };
  const redises = [1, 2].map(() => createSharedRedis({ url: server.url, log: createTestLog() }));
  const [one, two] = redises.map((redis, index) =>
    createEventsLoader({
      source: createSharedSource(source, {
        getOrLoad: createSharedCache({ redis, now: Date.now }).getOrLoad,
        name: 'events',
        ageMaxMs: cacheSeconds * 1000 * refreshAheadAt,
        toPicture: toPictures[index] ?? (() => null),
      }),
      timeZone: createTimeZone('UTC'),
      now: Date.now,
      cacheSeconds,
      log: createTestLog(),
    }),
  );
  if (one === undefined || two === undefined) throw new Error('there are two');
  return {
    table,
    one,
    two,
    async [Symbol.asyncDispose]() {
      await Promise.all(redises.map(({ close }) => close()));
    },
  };
}

test('two instances read the table once, and have the same events and read time', async () => {
  await using instances = openTwo();
  const { one, two, table } = instances;
  const first = await one.current();
  const second = await two.current();
  expect(table.reads).toBe(1);
  expect(second.events).toEqual(first.events);
  expect(second.signedUrls).toEqual(first.signedUrls);
  expect(second.signedUrls.size).toBe(3);
  expect(second.readAtMs).toBe(first.readAtMs);
  expect(second.version).toBe(first.version);
});

test('a background refresh of one instance is reused by the other one', async () => {
  await using instances = openTwo({ cacheSeconds: 1 });
  const { one, two, table } = instances;
  const first = await one.current();
  await delay(1000 * refreshAheadAt + 20);
  const second = await two.current();
  expect(second.readAtMs).toBeGreaterThan(first.readAtMs);
  await expect.poll(async () => (await one.current()).readAtMs).toBe(second.readAtMs);
  expect(table.reads).toBe(2);
});

test('a failing table is an error in both instances, and the next request succeeds', async () => {
  await using instances = openTwo();
  const { one, two, table } = instances;
  table.isDown = true;
  await expect(one.current()).rejects.toThrow('No.');
  await expect(two.current()).rejects.toThrow('No.');
  table.isDown = false;
  expect((await two.current()).events).toHaveLength(3);
  expect((await one.current()).events).toHaveLength(3);
  expect(table.reads).toBe(3);
});

test('without Redis each instance reads the table itself', async () => {
  await using instances = openTwo();
  const { one, two, table } = instances;
  await server.kill();
  await Promise.all([one.current(), two.current()]);
  expect(table.reads).toBe(2);
  await server.start();
});

test('events stay the same on their way through Redis, whatever their texts contain', async () => {
  const drafts = fc
    .sample(hostileText, 100)
    .map((text, index) =>
      makeDraft({ id: `rec${index}`, name: `n ${index}`, description: text, requirements: text }),
    );
  await using instances = openTwo({ drafts });
  const [first, second] = [await instances.one.current(), await instances.two.current()];
  expect(instances.table.reads).toBe(1);
  expect(second.events).toEqual(first.events);
  expect(second.signedUrls).toEqual(first.signedUrls);
  expect(second.signedUrls.size).toBe(100);
});

/** A picture as an instance describes it, once it has fetched it. */
function toPicture(thumbHash: string | null): ToPicture {
  return ({ id }) => ({
    id,
    url: `https://events.example/media/${id}`,
    width: 640,
    height: 360,
    thumbHash,
  });
}

type Drafts = readonly ReturnType<typeof makeDraft>[];
type ShareOptions = Partial<Parameters<typeof createSharedSource>[1]>;

const toRead = (drafts: Drafts) => ({ drafts, signedUrls: new Map(), repairs: {} });

/** A table with these rows, shared by way of `getOrLoad`. */
function share(drafts: Drafts, options: ShareOptions & Readonly<{ getOrLoad: GetOrLoad }>) {
  const source = { read: async () => toRead(drafts) };
  return createSharedSource(source, { name: 'events', ageMaxMs: 1000, ...options });
}

const withPicture = [
  makeDraft({
    attachments: { logo: { id: 'attLogo1', width: 640, height: 360 }, background: null },
  }),
];

test('what the reader knows of pictures is in the content of both instances', async () => {
  await using instances = openTwo({
    drafts: withPicture,
    toPictures: [toPicture('known'), toPicture(null)],
  });
  const [first, second] = [await instances.one.current(), await instances.two.current()];
  expect(first.events[0]?.pictures.logo?.thumbHash).toBe('known');
  expect(second.events).toEqual(first.events);
  expect(second.version).toBe(first.version);
});

test('a later reader that has not fetched a picture keeps what is known of it', async () => {
  let shared: string | null = null;
  const getOrLoad: GetOrLoad = async (_, { load }) => {
    shared ??= await load();
    return { text: shared, loadedAt: 0 };
  };
  const open = (thumbHash: string | null) =>
    share(withPicture, { getOrLoad, toPicture: toPicture(thumbHash) });
  const [one, two] = [open('known'), open(null)];
  await one.read();
  await two.read();
  shared = null;

  const { pictures } = await two.read();

  expect(pictures?.get('attLogo1')?.thumbHash).toBe('known');
});

test('fields of a newer version are no reason to read the table again', async () => {
  const text = await writeText();
  const newer = text.replace('"draft":{', '"new":1,"draft":{"newField":[],');
  const source = share([], { getOrLoad: async () => ({ text: newer, loadedAt: 7 }) });
  const { drafts, readAtMs } = await source.read();
  expect(drafts).toEqual(withPicture);
  expect(readAtMs).toBe(7);
});

/** What an instance of this version shares. */
async function writeText(): Promise<string> {
  let written = '';
  const source = share(withPicture, {
    async getOrLoad(_, { load }) {
      written = await load();
      return { text: written, loadedAt: 0 };
    },
  });
  await source.read();
  return written;
}

test.each([
  '',
  'no JSON',
  '{}\nno JSON',
  '{}\n{"id":"rec1"}',
  '{}\n{"draft":{"id":"rec1"}}',
  '{"a":"b"}',
])('a value of another version is ignored: %j', async (text) => {
  const source = share([makeDraft()], { getOrLoad: async () => ({ text, loadedAt: 0 }) });
  expect(await source.read()).toEqual(toRead([makeDraft()]));
});
