import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { createCards } from '#lib/media/og-image/og-images.ts';
import { makeEvent } from '../../../support/event-factory.ts';
import { openFileServer } from '../../../support/file-server.ts';
import { makePicture, readPixel, svgPicture } from '../../../support/picture-factory.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { createTestPictures, originsAt } from '../../../support/test-pictures.ts';
import { testSite } from '../../../support/test-site.ts';

// Drawing takes its time where many processes share a core.
vi.setConfig({ testTimeout: 20_000 });

const background = {
  id: 'attBack1',
  url: 'https://events.example/media/attBack1',
  width: 800,
  height: 600,
  thumbHash: null,
};
const plain = makeEvent({ background: { type: 'color', color: '#0c5f62' } });
const pictured: MarqueeEvent = { ...makeEvent(), pictures: { logo: null, background } };

async function openCards(bytes: Buffer | null = null) {
  const upstream = await openFileServer((_, response) => {
    if (bytes === null) response.writeHead(404).end();
    else response.end(bytes);
  });
  const folder = makeTestFolder();
  const { pictures, store } = createTestPictures({ folder, apiUrl: upstream.url });
  const cards = createCards({ pictures, store, site: testSite });
  const draw = (event: MarqueeEvent) => cards.drawEvent(event, originsAt(upstream.url));
  return { cards, draw, upstream, kept: () => readdirSync(join(folder, 'cards')) };
}

test('a card is a JPEG of the size that messengers ask for, in the event’s own colour', async () => {
  const { draw } = await openCards();
  const card = await draw(plain);
  expect(await sharp(card).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
  const [red = 0, green = 0, blue = 0] = await readPixel(card, { x: 20, y: 20 });
  expect(Math.abs(red - 0x0c) + Math.abs(green - 0x5f) + Math.abs(blue - 0x62)).toBeLessThan(20);
});

test('an event’s picture is its ground, under the scrim', async () => {
  const { draw } = await openCards(await makePicture({ color: '#00ff00' }));
  const card = await draw(pictured);
  const [, green = 0] = await readPixel(card, { x: 600, y: 15 });
  expect(green).toBeGreaterThan(200);
  const [, below = 255] = await readPixel(card, { x: 1150, y: 600 });
  expect(below).toBeLessThan(90);
});

test('a card is drawn once for what it shows, and again for something else', async () => {
  const { draw, kept } = await openCards();
  const first = await draw(plain);
  expect(Buffer.from(await draw({ ...plain, description: 'other' })).equals(first)).toBe(true);
  expect(kept()).toHaveLength(1);
  await draw({ ...plain, name: 'Another name' });
  await draw({ ...plain, endDate: '2026-12-20' });
  await draw({ ...plain, theme: null, background: null });
  expect(kept()).toHaveLength(4);
});

test.each([
  ['gone', null],
  ['no picture', svgPicture],
])(
  'where the picture is %s, the card has the colour, and is not taken for the one with it',
  async (_, bytes) => {
    const { draw } = await openCards(bytes);
    const card = await draw(pictured);
    const [red = 0, green = 0, blue = 0] = await readPixel(card, { x: 20, y: 20 });
    expect(Math.abs(red - 0x10) + Math.abs(green - 0x20) + Math.abs(blue - 0x30)).toBeLessThan(20);
    const whole = await openCards(await makePicture({ color: '#00ff00' }));
    const other = await whole.draw(pictured);
    expect(Buffer.from(other).equals(card)).toBe(false);
  },
);

test.each([
  'N'.repeat(300),
  'عيد الأضحى '.repeat(12),
  '漢字'.repeat(100),
  '🎉',
  '<svg onload="alert(1)">&amp;',
  'a\u0000b\ud800',
])('the name %j gives a card', async (name) => {
  const { draw } = await openCards();
  const card = await draw({ ...plain, name, inPerson: { start: null, end: null, location: name } });
  expect(await sharp(card).metadata()).toMatchObject({ width: 1200, height: 630 });
});

test('the card of the site is drawn once', async () => {
  const { cards } = await openCards();
  const [first, second] = await Promise.all([cards.drawSite(), cards.drawSite()]);
  expect(second).toBe(first);
  const { body } = await first.encoded('identity');
  expect(await sharp(body).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
});
