import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AirtableRecord } from '#lib/demo/airtable/airtable-record.ts';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { send } from '../../support/clients/http-client.ts';
import { readApiError, readEventList } from '../../support/responses/api-responses.ts';
import {
  type MarqueeServerInProcess,
  startMarquee,
  startMarqueeInProcess,
  startTable,
  toDay,
  toTableSettings,
} from '../../support/servers/marquee-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { makeRecord } from '../../support/upstreams/upstream.ts';

/** When an event is renamed, its former URLs redirect to the current ones. */

let table: AirtableServer;
let server: MarqueeServerInProcess;
let records: AirtableRecord[];
let timeMs = Date.now();
let id = '';
let oldSlug = '';

beforeAll(async () => {
  records = sampleRecords({ today: toDay(timeMs) });
  table = await startTable({ records: () => records });
  server = await startMarqueeInProcess(toTableSettings(table), { now: () => timeMs });
  const [event] = readEventList(await send(server, '/api/v1/events')).data;
  id = event?.id ?? '';
  oldSlug = event?.slug ?? '';
  records = rename(records, id, 'Brand New Name');
  timeMs += 241_000;
});

afterAll(async () => {
  await server.stop();
  await table.close();
});

// The pages of this server are stubs; the redirect of pages is tested with a process below.
test.each(['.md', '.ics'])(
  'the former URL with “%s” redirects to the current one',
  async (extension) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await send(server, `/events/${oldSlug}${extension}`, { method });
      expect(response.status).toBe(308);
      expect(response.header('location')).toBe(`/events/brand-new-name${extension}`);
      // Another event may get the old name, so the redirect must not be cached for long.
      expect(response.header('cache-control')).toMatch(/^public, max-age=\d{1,3}$/);
      const there = await send(server, response.header('location'));
      expect(there.status).toBe(200);
    }
  },
);

test('with Accept: text/markdown the redirect points to the .md URL', async () => {
  const headers = { accept: 'text/markdown' };
  const response = await send(server, `/events/${oldSlug}`, { headers });
  expect(response.header('location')).toBe('/events/brand-new-name.md');
});

test('the API’s hint has the new slug, and the id still works', async () => {
  const error = readApiError(await send(server, `/api/v1/events/${oldSlug}`), 'not_found');
  expect(error.hint).toContain('`brand-new-name`');
  expect(error.hint).toContain(`\`${id}\``);
  expect((await send(server, `/api/v1/events/${id}`)).status).toBe(200);
});

test('a slug that no event ever had is a 404 whose Markdown suggests the most similar', async () => {
  const response = await send(server, '/events/brand-new-names.md');
  expect(response.status).toBe(404);
  expect(response.text).toContain('/events/brand-new-name.md)');
});

test('the former URL of a page redirects to the current one, served by next start', async () => {
  const upstream = await startTable({ records: () => records });
  const settings = { ...toTableSettings(upstream), EVENTS_CACHE_SECONDS: '1' };
  const next = await startMarquee(settings, 'next start');
  const [event] = readEventList(await send(next, '/api/v1/events')).data;
  records = rename(records, event?.id ?? '', 'Another New Name');
  await expect
    .poll(() => send(next, '/api/v1/events').then(({ text }) => text), { timeout: 10_000 })
    .toContain('another-new-name');
  const response = await send(next, `/events/${event?.slug}`, { headers: { accept: 'text/html' } });
  expect(response.status).toBe(308);
  expect(response.header('location')).toBe('/events/another-new-name');
  await next.stop();
  await upstream.close();
});

test('served by npm start it leads on after a restart, and in an instance that never read the old name', async () => {
  using folder = makeTemporaryFolder();
  let name = 'Lantern Jam';
  const own = await startTable({
    records: () => [makeRecord({ Name: name, 'Start Date': '2026-12-05' })],
  });
  const settings = {
    ...toTableSettings(own),
    DATA_DIR: folder.path,
    EVENTS_CACHE_SECONDS: '1',
  };
  const html = { headers: { accept: 'text/html' } };
  const before = await startMarquee(settings);
  expect((await send(before, '/events/lantern-jam', html)).status).toBe(200);
  name = 'Candle Jam';
  await expect
    .poll(async () => (await send(before, '/events/lantern-jam', html)).status, { timeout: 10_000 })
    .toBe(308);
  const moved = await send(before, '/events/lantern-jam', html);
  expect(moved.header('location')).toBe('/events/candle-jam');
  await before.terminate();
  name = 'Torch Jam';
  const after = await startMarquee(settings);
  for (const former of ['lantern-jam', 'candle-jam']) {
    const response = await send(after, `/events/${former}`, html);
    expect(response.status).toBe(308);
    expect(response.header('location')).toBe('/events/torch-jam');
    expect(response.header('cache-control')).toMatch(/^public, max-age=([12]?\d{1,2}|300)$/);
    const item = await send(after, `/api/v1/events/${former}`);
    expect(item.status).toBe(404);
    expect(readApiError(item).hint).toContain('torch-jam');
  }
  await after.terminate();
  await own.close();
});

function rename(records: readonly AirtableRecord[], id: string, name: string): AirtableRecord[] {
  return records.map((record) =>
    record.id === id ? { ...record, fields: { ...record.fields, Name: name } } : record,
  );
}
