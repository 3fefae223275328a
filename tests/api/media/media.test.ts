import sharp from 'sharp';
import { expect, test } from 'vitest';
import { pictureWidths } from '#lib/representations/theming/picture-placeholder.ts';
import { type HttpResponse, send } from '../../support/clients/http-client.ts';
import { readPixel } from '../../support/factories/picture-factory.ts';
import { readApiError, readEventList } from '../../support/responses/api-responses.ts';
import {
  secretToken,
  siteUrl,
  startMarqueeInProcess,
  startSiteInProcess,
} from '../../support/servers/marquee-server.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';
import { makeRecord } from '../../support/upstreams/upstream.ts';

const twoHoursMs = 2 * 60 * 60 * 1000;
const background = 'attBackground0001';
const logo = 'attLogo0000000001';
const media = `/media/${background}`;
const types = {
  avif: 'image/avif',
  webp: 'image/webp',
  png: 'image/png',
  jpeg: 'image/jpeg',
} as const;

/** A table of one event with two pictures, and a server for it. */
const start = (effects?: Parameters<typeof startSiteInProcess>[1]) =>
  startSiteInProcess(
    {
      records: [
        makeRecord({
          'Background Image': [{ id: background, file: 'star-trails.webp' }],
          'Background Color': '#c02040',
          Logo: [{ id: logo, file: 'seedling.png' }],
        }),
      ],
      settings: { DATA_DIR: makeTestFolder() },
    },
    effects,
  );

/** Expects a placeholder in the event's colour that is not cacheable. */
async function expectPlaceholder(response: HttpResponse): Promise<void> {
  expect(response.status).toBe(200);
  expect(response.header('content-type')).toBe('image/png');
  expect(response.header('cache-control')).toBe('no-store');
  expect(response.header('etag')).toBe('');
  expect(await readPixel(response.body, { x: 0, y: 0 })).toEqual([0xc0, 0x20, 0x40, 255]);
}

test('the API has the permanent URL of each picture, and the picture is there', async () => {
  await using server = await start();
  const [event] = readEventList(await send(server, '/api/v1/events')).data;
  expect(event?.pictures.background).toMatchObject({ id: background, width: 1200, height: 900 });
  expect(event?.pictures.background?.url).toBe(`${siteUrl}${media}`);
  expect(event?.pictures.logo).toMatchObject({ id: logo, width: 400, height: 400 });
  const response = await send(server, media);
  expect(await sharp(response.body).metadata()).toMatchObject({ width: 1200, height: 900 });
});

test('every width is served in every format, cacheable for a year, and never enlarged', async () => {
  await using server = await start();
  for (const [format, type] of Object.entries(types)) {
    for (const width of pictureWidths) {
      const response = await send(server, `${media}?w=${width}&format=${format}`);
      expect(response.status).toBe(200);
      expect(response.header('content-type')).toBe(type);
      expect(response.header('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.header('etag')).toMatch(/^"[\w-]{27}"$/);
      expect(response.header('content-length')).toBe(String(response.body.length));
      expect(response.header('x-content-type-options')).toBe('nosniff');
      expect(response.header('vary')).toBe('');
      const size = await sharp(response.body).metadata();
      expect(size.width).toBe(Math.min(width, 1200));
      expect(size.format).toBe(format === 'avif' ? 'heif' : format);
    }
  }
  expect(server.table.stats().attachmentsServed).toBe(1);
});

test('after its signed URL has expired a picture is served from the store, in new widths too', async () => {
  await using server = await start();
  expect((await send(server, `${media}?w=96`)).status).toBe(200);
  server.table.advanceClock(twoHoursMs + 1);
  const response = await send(server, `${media}?w=640&format=webp`);
  expect((await sharp(response.body).metadata()).width).toBe(640);
  expect(server.table.stats().attachmentsServed).toBe(1);
});

test('a picture whose URL expired before it was fetched is a placeholder until its URL is renewed', async () => {
  let aheadMs = 0;
  await using server = await start({ now: () => Date.now() + aheadMs });
  await send(server, '/api/v1/events');
  server.table.advanceClock(twoHoursMs + 1);
  for (const accept of ['*/*', 'image/avif']) {
    await expectPlaceholder(await send(server, `${media}?w=96`, { headers: { accept } }));
  }
  aheadMs = 300_000;
  const response = await send(server, `${media}?w=96`);
  expect(response.header('content-type')).toBe('image/jpeg');
});

test('the event has a placeholder hash once its picture was fetched', async () => {
  await using first = await start();
  const hashOf = async (server: Readonly<{ port: number }>) =>
    readEventList(await send(server, '/api/v1/events')).data[0]?.pictures.background?.thumbHash;
  expect(await hashOf(first)).toBeNull();
  await send(first, `${media}?w=96`);
  await using second = await startMarqueeInProcess(first.settings);
  // Until then it has what the first one has read.
  await second.services.events.refresh({ ageMaxMs: 0 });
  expect(await hashOf(second)).toMatch(/^[\w+/]{8,}={0,2}$/);
});

test.each([
  { kind: '500-html' },
  { kind: '200-html' },
  { kind: '403' },
  { kind: 'reset' },
  { kind: 'cut' },
  { kind: 'huge' },
  { kind: 'redirect', location: 'http://169.254.169.254/latest/meta-data/' },
] as const)(
  'an upstream with the fault $kind gives a placeholder, and nothing of it is logged',
  async (fault) => {
    await using server = await start();
    await send(server, '/api/v1/events');
    server.table.setFault({ ...fault, on: 'attachments' });
    const response = await send(server, `${media}?w=640`);
    await expectPlaceholder(response);
    expect(server.logText()).not.toMatch(/xyzzy|attachments\/|169\.254/);
    expect(server.logText()).not.toContain(secretToken);
  },
);

test('an id that is none is a 404', async () => {
  await using server = await start();
  for (const id of [
    'attNobody',
    'att',
    'rec00000000000000',
    '..%2f..%2fpackage.json',
    'attA%2f..%2f..',
    'attBackground0001.webp',
    '%00',
    `att${'x'.repeat(300)}`,
  ]) {
    const error = readApiError(await send(server, `/media/${id}`), 'not_found');
    expect(error.hint, id).toContain('pictures');
  }
});
