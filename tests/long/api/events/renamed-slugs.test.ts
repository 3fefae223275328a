import { beforeAll, expect, test } from 'vitest';
import type { AirtableRecord } from '#lib/demo/airtable/airtable-record.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { getPage, type HttpResponse, send } from '../../../support/clients/http-client.ts';
import { forTests } from '../../../support/for-tests.ts';
import { readApiError, readEventList } from '../../../support/responses/api-responses.ts';
import { startEditedTable } from '../../../support/servers/edited-table.ts';
import {
  startMarquee,
  startSite,
  startSiteInProcess,
  toDay,
} from '../../../support/servers/marquee-server.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

/** When an event is renamed, its former URLs redirect to the current ones. */

let timeMs = Date.now();
let records = sampleRecords({ today: toDay(timeMs) });
let id = '';
let oldSlug = '';
const server = forTests(() =>
  startSiteInProcess({ records: () => records }, { now: () => timeMs }),
);

beforeAll(async () => {
  const [event] = readEventList(await send(server, '/api/v1/events')).data;
  id = event?.id ?? '';
  oldSlug = event?.slug ?? '';
  records = rename(records, id, 'Brand New Name');
  timeMs += 241_000;
});

// The pages of this server are stubs; the redirect of pages is tested with a process below.
test.each(['.md', '.ics'])(
  'the former URL with “%s” redirects to the current one',
  async (extension) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await send(server, `/events/${oldSlug}${extension}`, { method });
      expectMoved(response, `/events/brand-new-name${extension}`);
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

test('the API’s item redirects to the current slug, and the id still works', async () => {
  const response = await send(server, `/api/v1/events/${oldSlug}`);
  expectMoved(response, '/api/v1/events/brand-new-name');
  expect(response.header('cache-control')).toMatch(/^public, max-age=([12]?\d{1,2}|300)$/);
  expect(response.header('access-control-allow-origin')).toBe('*');
  const item = await send(server, response.header('location'));
  expect(JSON.parse(item.text).data).toMatchObject({ id, slug: 'brand-new-name' });
  expect((await send(server, `/api/v1/events/${id}`)).status).toBe(200);
});

test('with Accept: application/json a page leads to an item that exists, or is a 404', async () => {
  const headers = { accept: 'application/json' };
  for (const name of [oldSlug, 'brand-new-name', 'BRAND-new-name', id]) {
    const response = await send(server, `/events/${name}`, { headers });
    expect(response.status).toBe(303);
    expect(response.header('location')).toBe('/api/v1/events/brand-new-name');
  }
  readApiError(await send(server, '/events/never-was', { headers }), 'not_found');
});

test('a slug that no event ever had is a 404 whose Markdown suggests the most similar', async () => {
  const response = await send(server, '/events/brand-new-names.md');
  expect(response.status).toBe(404);
  expect(response.text).toContain('/events/brand-new-name.md)');
});

test('the former URL of a page redirects to the current one, served by next start', async () => {
  const settings = { EVENTS_CACHE_SECONDS: '1' };
  await using next = await startSite({ records: () => records, settings }, 'next start');
  const [event] = readEventList(await send(next, '/api/v1/events')).data;
  records = rename(records, event?.id ?? '', 'Another New Name');
  await expect
    .poll(() => send(next, '/api/v1/events').then(({ text }) => text))
    .toContain('another-new-name');
  const response = await getPage(next, `/events/${event?.slug}`);
  expectMoved(response, '/events/another-new-name');
});

/** A table whose edits are read within a second. */
const startQuickTable = () =>
  startEditedTable({ DATA_DIR: makeTestFolder(), EVENTS_CACHE_SECONDS: '1' });

test('served by npm start it leads on after a restart, and in an instance that never read the old name', async () => {
  await using table = await startQuickTable();
  const before = await startMarquee(table.settings);
  expect((await getPage(before, '/events/lantern-jam')).status).toBe(200);
  table.rename('Candle Jam');
  await expect.poll(async () => (await getPage(before, '/events/lantern-jam')).status).toBe(308);
  const moved = await getPage(before, '/events/lantern-jam');
  expect(moved.header('location')).toBe('/events/candle-jam');
  await before.terminate();
  table.rename('Torch Jam');
  await using after = await startMarquee(table.settings);
  // It starts with what the other one has read.
  await expect
    .poll(async () => (await getPage(after, '/events/lantern-jam')).header('location'))
    .toBe('/events/torch-jam');
  for (const former of ['lantern-jam', 'candle-jam']) {
    const response = await getPage(after, `/events/${former}`);
    expectMoved(response, '/events/torch-jam');
    expect(response.header('cache-control')).toMatch(/^public, max-age=([12]?\d{1,2}|300)$/);
    expectMoved(await send(after, `/api/v1/events/${former}`), '/api/v1/events/torch-jam');
  }
});

test('a removed event’s page is a 410, and an event that gets its name gets its URL', async () => {
  await using table = await startQuickTable();
  await using site = await startMarquee(table.settings);
  expect((await getPage(site, '/events/lantern-jam')).status).toBe(200);
  table.replaceRow();
  table.rename('Torch Jam');
  await expect.poll(async () => (await getPage(site, '/events/lantern-jam')).status).toBe(410);
  const page = await getPage(site, '/events/lantern-jam');
  expect(page.text).toContain('This event was removed');
  expect(page.header('cache-control')).toBe('no-store');
  const markdown = await send(site, '/events/lantern-jam.md');
  expect(markdown.status).toBe(410);
  expect(markdown.text).toContain('# This event was removed');
  expect((await send(site, '/events/lantern-jam.ics')).status).toBe(410);
  expect((await send(site, '/api/v1/events/lantern-jam')).status).toBe(404);
  table.replaceRow();
  table.rename('Lantern Jam');
  await expect.poll(async () => (await getPage(site, '/events/lantern-jam')).status).toBe(200);
  expect((await getPage(site, '/events/torch-jam')).status).toBe(410);
});

function expectMoved({ status, header }: HttpResponse, location: string): void {
  expect([status, header('location')]).toEqual([308, location]);
}

function rename(records: readonly AirtableRecord[], id: string, name: string): AirtableRecord[] {
  return records.map((record) =>
    record.id === id ? { ...record, fields: { ...record.fields, Name: name } } : record,
  );
}
