import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventChangeListSchema } from '#lib/representations/openapi/schemas.ts';
import { send } from '../../support/clients/http-client.ts';
import { openChangeStream } from '../../support/clients/open-change-stream.ts';
import { forTests } from '../../support/for-tests.ts';
import { readApiError } from '../../support/responses/api-responses.ts';
import { startMarqueeInProcess, startSiteInProcess } from '../../support/servers/marquee-server.ts';
import { makeRecord } from '../../support/upstreams/upstream.ts';

/** The list of changes and its stream, over a table that is edited. */

const path = '/api/v1/events/changes';
let timeMs = Date.now();
let rows: Record<string, unknown>[] = [
  { Name: 'Lantern Jam', 'Start Date': '2027-01-05' },
  { Name: 'Candle Jam', 'Start Date': '2027-01-06' },
];
const toRecords = () =>
  rows.map((cells, index) =>
    makeRecord({ 'Announced At': `2026-01-0${index + 1}`, ...cells }, index),
  );

const server = forTests(() => startSiteInProcess({ records: toRecords }, { now: () => timeMs }));

beforeAll(async () => {
  await send(server, '/api/v1/events');
  rows = [{ ...rows[0], 'Start Date': '2027-02-03', Description: 'New.' }];
  timeMs += 241_000;
  await send(server, '/api/v1/events');
});

async function list(search = '') {
  const response = await send(server, `${path}${search}`);
  expect(response.status, response.text).toBe(200);
  return eventChangeListSchema.parse(JSON.parse(response.text));
}

test('the list has what came, changed and went, the oldest first', async () => {
  const { data, meta } = await list();
  expect(data).toMatchObject([
    { id: '1', type: 'event.removed', slug: 'candle-jam', new: {} },
    {
      id: '2',
      type: 'event.changed',
      slug: 'lantern-jam',
      fields: ['description', 'startDate'],
      old: { startDate: '2027-01-05' },
      new: { startDate: '2027-02-03' },
    },
  ]);
  expect(meta).toMatchObject({ next: '2', hasMore: false });
});

test('pages continue at the cursor, and the last one is empty', async () => {
  const first = await list('?limit=1');
  expect(first).toMatchObject({ data: [{ id: '1' }], meta: { next: '1', hasMore: true } });
  const second = await list(`?since=${first.meta.next}`);
  expect(second).toMatchObject({ data: [{ id: '2' }], meta: { next: '2', hasMore: false } });
  expect(await list('?since=2')).toMatchObject({ data: [], meta: { next: '2' } });
});

test('a time and types select, and a time in the future gives an empty list', async () => {
  expect((await list(`?since=${toDay(-1)}T00:00:00Z`)).data).toHaveLength(2);
  const later = await list(`?since=${toDay(400)}T00:00:00Z`);
  expect(later).toMatchObject({ data: [], meta: { next: '2' } });
  expect((await list('?type=event.removed')).data).toMatchObject([{ id: '1' }]);
  expect((await list('?type=event.removed&type=event.changed')).data).toHaveLength(2);
  expect((await list('?type=event.added')).meta.next).toBe('2');
});

test('people read the same as Markdown, as RSS and on the event', async () => {
  const markdown = await send(server, '/changes.md');
  expect(markdown.text).toContain('Moved from 5 Jan 2027 to 3 Feb 2027');
  expect(markdown.text).toContain('| Candle Jam | Removed from the list |');
  const rss = await send(server, `${path}/rss`);
  expect(rss.header('content-type')).toBe('application/rss+xml; charset=utf-8');
  expect(rss.text).toContain('<title>Candle Jam: Removed from the list</title>');
  const event = await send(server, '/events/lantern-jam.md');
  expect(event.text).toMatch(/> Changed on \d+ \w+ \d{4}: moved from 5 Jan 2027 to 3 Feb 2027\./);
});

test.for([
  ['?since=3', 'since'],
  ['?since=99999999999', 'since'],
  ['?since=01', 'since'],
  ['?since=yesterday', '`since` must be'],
  ['?since=2026-11-23', '`since` must be'],
  ['?since=2020-01-01T00:00:00Z', '/api/v1/events'],
  ['?limit=0', '`limit` must be'],
  ['?limit=101', '`limit` must be'],
  ['?type=event.moved', '`type` must be'],
  ['?limit=1&limit=2', 'Send `limit` once'],
  ['?page=2', 'Parameters:'],
])('%s is a 400 that says what to change', async ([search, text]) => {
  const error = readApiError(await send(server, `${path}${search}`), 'bad_request');
  expect(`${error.message} ${error.hint}`).toContain(text);
});

test('the list has an ETag, and is never cached without asking', async () => {
  const response = await send(server, path);
  expect(response.header('cache-control')).toBe('no-cache');
  expect(response.header('vary')).toContain('Accept');
  const headers = { 'if-none-match': response.header('etag') };
  expect((await send(server, path, { headers })).status).toBe(304);
});

test('an Accept header without JSON and event streams is a 406', async () => {
  const headers = { accept: 'text/html' };
  const response = await send(server, path, { headers });
  readApiError(response, 'not_acceptable');
  expect(response.header('vary')).toBe('Accept');
});

test('a slug that is now the name of this endpoint gives an event another slug', async () => {
  rows = [...rows, { Name: 'Changes', 'Start Date': '2027-03-01' }];
  timeMs += 241_000;
  const { text } = await send(server, '/api/v1/events');
  expect(text).toContain('"slug":"changes-event"');
});

test('a stream sends what comes, with its cursor, and continues where it was cut', async () => {
  const { meta } = await list();
  await using live = await openStream();
  await using resumed = await openStream({ 'last-event-id': '1' }, '?since=99999');
  rows = [{ ...rows[0], State: 'Cancelled' }];
  timeMs += 241_000;
  await send(server, '/api/v1/events');
  const newest = Number(meta.next) + 2;
  await expect.poll(live.ids).toEqual([newest - 1, newest]);
  await expect
    .poll(resumed.ids)
    .toEqual(Array.from({ length: newest - 1 }, (_, index) => index + 2));
  expect(live.text()).not.toContain('event:');
  expect(live.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(live.headers.get('cache-control')).toBe('no-store');
  expect(live.headers.get('x-accel-buffering')).toBe('no');
  expect(live.headers.get('vary')).toBe('Accept');
});

test('a stream from a cursor that was never issued is a 400', async () => {
  const headers = { accept: 'text/event-stream', 'last-event-id': '99999' };
  readApiError(await send(server, path, { headers }), 'bad_request');
});

test('a stream ends when the server stops', async () => {
  await using other = await startMarqueeInProcess(server.settings);
  const stream = await openStream({}, '', other);
  other.services.shutdown.abort();
  await expect.poll(stream.isEnded).toBe(true);
});

function toDay(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

const changeSchema = z.object({ id: z.string() });

async function openStream(
  headers: Record<string, string> = {},
  search = '',
  { url }: Readonly<{ url: string }> = server,
) {
  const stream = await openChangeStream(url, { headers, search });
  return {
    ...stream,
    ids: () =>
      [...stream.text().matchAll(/^data: (.+)$/gm)].map(([, data = '']) =>
        Number(changeSchema.parse(JSON.parse(data)).id),
      ),
  };
}
