import { beforeAll, expect, test } from 'vitest';
import type { AirtableRecord } from '#lib/demo/airtable/airtable-record.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { getPage, send } from '../../support/clients/http-client.ts';
import { forTests } from '../../support/for-tests.ts';
import { readApiError, readEventList } from '../../support/responses/api-responses.ts';
import { startEditedTable } from '../../support/servers/edited-table.ts';
import {
  startMarquee,
  startSite,
  startSiteInProcess,
  toDay,
} from '../../support/servers/marquee-server.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

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
  const settings = { EVENTS_CACHE_SECONDS: '1' };
  await using next = await startSite({ records: () => records, settings }, 'next start');
  const [event] = readEventList(await send(next, '/api/v1/events')).data;
  records = rename(records, event?.id ?? '', 'Another New Name');
  await expect
    .poll(() => send(next, '/api/v1/events').then(({ text }) => text))
    .toContain('another-new-name');
  const response = await getPage(next, `/events/${event?.slug}`);
  expect(response.status).toBe(308);
  expect(response.header('location')).toBe('/events/another-new-name');
});

test('served by npm start it leads on after a restart, and in an instance that never read the old name', async () => {
  await using table = await startEditedTable({
    DATA_DIR: makeTestFolder(),
    EVENTS_CACHE_SECONDS: '1',
  });
  const html = { headers: { accept: 'text/html' } };
  const before = await startMarquee(table.settings);
  expect((await send(before, '/events/lantern-jam', html)).status).toBe(200);
  table.rename('Candle Jam');
  await expect.poll(async () => (await send(before, '/events/lantern-jam', html)).status).toBe(308);
  const moved = await send(before, '/events/lantern-jam', html);
  expect(moved.header('location')).toBe('/events/candle-jam');
  await before.terminate();
  table.rename('Torch Jam');
  await using after = await startMarquee(table.settings);
  // It starts with what the other one has read.
  await expect
    .poll(async () => (await send(after, '/events/lantern-jam', html)).header('location'))
    .toBe('/events/torch-jam');
  for (const former of ['lantern-jam', 'candle-jam']) {
    const response = await send(after, `/events/${former}`, html);
    expect(response.status).toBe(308);
    expect(response.header('location')).toBe('/events/torch-jam');
    expect(response.header('cache-control')).toMatch(/^public, max-age=([12]?\d{1,2}|300)$/);
    const item = await send(after, `/api/v1/events/${former}`);
    expect(item.status).toBe(404);
    expect(readApiError(item).hint).toContain('torch-jam');
  }
});

function rename(records: readonly AirtableRecord[], id: string, name: string): AirtableRecord[] {
  return records.map((record) =>
    record.id === id ? { ...record, fields: { ...record.fields, Name: name } } : record,
  );
}
