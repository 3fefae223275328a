import { beforeAll, expect, test } from 'vitest';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { getPage, readFreshSeconds, send } from '../../support/clients/http-client.ts';
import { forTests } from '../../support/for-tests.ts';
import { readEventList } from '../../support/responses/api-responses.ts';
import { startSite, toDay } from '../../support/servers/marquee-server.ts';
import { makeRecord } from '../../support/upstreams/upstream.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Pages are rendered once per content version and canonical URL. */

let name = 'Lantern Jam';
const [first = makeRecord(), ...others] = sampleRecords({ today: toDay(Date.now()) });
const server = forTests(() =>
  startSite({
    records: () => [{ ...first, fields: { ...first.fields, Name: name } }, ...others],
    // Each second another read, which mostly finds nothing new.
    settings: { EVENTS_CACHE_SECONDS: '1' },
  }),
);

// The first render of a process may take longer on a busy machine than visitors are kept waiting.
beforeAll(() => waitFor(async () => expect((await getPage(server, '/models')).status).toBe(200)));

const html = { accept: 'text/html' };

test('the first request waits for a render, the next gets the same bytes and a hit', async () => {
  const first = await getPage(server, '/?q=jam');
  const second = await getPage(server, '/?q=jam');
  expect([first.header('x-cache'), second.header('x-cache')]).toEqual(['miss', 'hit']);
  expect(second.text).toBe(first.text);
  for (const name of ['etag', 'content-security-policy', 'speculation-rules', 'link']) {
    expect(second.header(name)).toBe(first.header(name));
  }
});

test('requests that come during a render share it', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => getPage(server, '/?q=night')),
  );
  expect(responses.filter(({ header }) => header('x-cache') === 'miss')).toHaveLength(1);
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
});

test('unknown query parameters do not split the cache', async () => {
  const plain = await getPage(server, '/docs/errors');
  const canonical = await getPage(server, '/?status=ended&q=jam');
  for (let index = 0; index < 20; index++) {
    const docs = await getPage(server, `/docs/errors?utm_campaign=${index}`);
    expect([docs.header('x-cache'), docs.text === plain.text]).toEqual(['hit', true]);
    const filtered = await getPage(server, `/?q=jam&fbclid=${index}&status=ended`);
    expect([filtered.header('x-cache'), filtered.text === canonical.text]).toEqual(['hit', true]);
  }
});

test('an event has one page, whatever the case of its slug or by its id', async () => {
  const [event] = readEventList(await send(server, '/api/v1/events?limit=1')).data;
  const page = await getPage(server, `/events/${event?.slug}`);
  for (const name of [event?.slug.toUpperCase(), event?.id]) {
    const same = await getPage(server, `/events/${name}`);
    expect([same.status, same.text === page.text]).toEqual([200, true]);
  }
});

test('a read that found nothing new keeps pages, Markdown and feeds; JSON has a new generatedAt', async () => {
  const stable = [
    '/',
    '/events/lantern-jam',
    '/index.md',
    '/llms.txt',
    '/api/v1/events/rss',
    '/api/v1/events/calendar.ics',
  ];
  const toHeaders = (path: string) => ({
    headers: path.includes('.') || path.startsWith('/api') ? {} : html,
  });
  const readAll = () => Promise.all(stable.map((path) => send(server, path, toHeaders(path))));
  const readTime = async () =>
    JSON.parse((await send(server, '/api/v1/events?limit=1')).text).meta.generatedAt;
  const [before, timeBefore] = [await readAll(), await readTime()];
  await expect.poll(readTime).not.toBe(timeBefore);
  const after = await readAll();
  expect(after.map(({ header }) => header('etag'))).toEqual(
    before.map(({ header }) => header('etag')),
  );
  expect(after.slice(0, 2).map(({ header }) => header('x-cache'))).toEqual(['hit', 'hit']);
  const known = await Promise.all(
    stable.map((path, index) =>
      send(server, path, {
        headers: {
          ...toHeaders(path).headers,
          'if-none-match': before[index]?.header('etag') ?? '',
        },
      }),
    ),
  );
  expect(known.map(({ status }) => status)).toEqual(stable.map(() => 304));
  name = 'Lantern Jam, renamed';
  await expect
    .poll(async () => (await getPage(server, '/')).header('etag'))
    .not.toBe(before[0]?.header('etag'));
});

test('made-up slugs are 404s that never cost a visitor a 503', async () => {
  const responses = await Promise.all([
    ...Array.from({ length: 200 }, (_, index) => getPage(server, `/events/no-such-${index}`)),
    ...Array.from({ length: 20 }, (_, index) => getPage(server, `/?q=storm-${index}`)),
  ]);
  const statuses = responses.map(({ status }) => status);
  expect(new Set(statuses.slice(0, 200))).toEqual(new Set([404]));
  expect(new Set(statuses.slice(200))).toEqual(new Set([200]));
  // They share one page.
  expect(new Set(responses.slice(0, 200).map(({ text }) => text)).size).toBe(1);
});

test('slugs that are nearly that of an event share the page that suggests it', async () => {
  const [first, second] = await Promise.all([
    getPage(server, '/events/lantern-jm'),
    getPage(server, '/events/lantern-jam-x'),
  ]);
  expect([first.status, second.status]).toEqual([404, 404]);
  expect(first.text).toContain('Did you mean one of these?');
  expect(first.text).toContain('href="/events/lantern-jam');
  expect(second.text).toContain('href="/events/lantern-jam');
});

test('a page outlives failed reads of the table, and is never older than the events', async () => {
  const before = await getPage(server, '/?q=lantern');
  expect(readFreshSeconds(before)).toBeLessThanOrEqual(300);
  server.table.setFault({ kind: '500-html' });
  const failuresSoFar = server.logText().split('events could not be read').length;
  await expect
    .poll(async () => {
      await getPage(server, '/?q=lantern');
      return server.logText().split('events could not be read').length;
    })
    .toBeGreaterThan(failuresSoFar);
  const readFresh = async () => readFreshSeconds(await getPage(server, '/?q=lantern'));
  await expect.poll(readFresh).toBeLessThan(readFreshSeconds(before));
  const later = await getPage(server, '/?q=lantern');
  expect([later.status, later.text === before.text]).toEqual([200, true]);
  expect(readFreshSeconds(later)).toBeLessThan(300);
  server.table.setFault(null);
  await expect.poll(async () => (await getPage(server, '/?q=lantern')).status).toBe(200);
  const after = await getPage(server, '/?q=lantern');
  expect(after.text).toBe(before.text);
});
