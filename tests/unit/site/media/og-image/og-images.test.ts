import { readdirSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { respondWith } from '#lib/http/representations/representation.ts';
import { createOgImages } from '#lib/site/media/og-image/og-images.ts';
import { makeEvent } from '../../../../support/factories/event-factory.ts';
import {
  makePicture,
  readPixel,
  svgPicture,
} from '../../../../support/factories/picture-factory.ts';
import { createTestPictures, originsAt } from '../../../../support/factories/test-pictures.ts';
import { openFileServer } from '../../../../support/servers/file-server.ts';
import { makeTestFolder } from '../../../../support/temporary-folder.ts';
import { testSite } from '../../../../support/test-site.ts';

const background = {
  id: 'attBack1',
  url: 'https://events.example/media/attBack1',
  width: 800,
  height: 600,
  thumbHash: null,
};
const plain = makeEvent({ background: { type: 'color', color: '#0c5f62' } });
const pictured: MarqueeEvent = { ...makeEvent(), pictures: { logo: null, background } };

async function openOgImages(bytes: Buffer | null = null) {
  const upstream = await openFileServer((_, response) => {
    if (bytes === null) response.writeHead(404).end();
    else response.end(bytes);
  });
  const folder = makeTestFolder();
  const { pictures, store } = createTestPictures({ folder, apiUrl: upstream.url });
  const ogImages = createOgImages({ pictures, store, site: testSite });
  const draw = (event: MarqueeEvent) => ogImages.loadEvent(event, originsAt(upstream.url));
  const listStored = () =>
    readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.jpg'));
  return { ogImages, draw, upstream, listStored };
}

test('an Open Graph image is a JPEG of 1200 × 630 in the event’s colour', async () => {
  const { draw } = await openOgImages();
  const image = await draw(plain);
  expect(await sharp(image).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
  const [red = 0, green = 0, blue = 0] = await readPixel(image, { x: 20, y: 20 });
  expect(Math.abs(red - 0x0c) + Math.abs(green - 0x5f) + Math.abs(blue - 0x62)).toBeLessThan(20);
});

test('an event’s picture is the background, under the scrim', async () => {
  const { draw } = await openOgImages(await makePicture({ color: '#00ff00' }));
  const image = await draw(pictured);
  const [, green = 0] = await readPixel(image, { x: 600, y: 15 });
  expect(green).toBeGreaterThan(200);
  const [, below = 255] = await readPixel(image, { x: 1150, y: 600 });
  expect(below).toBeLessThan(90);
});

test('an event that does not take place as announced has a band across the top', async () => {
  const { draw } = await openOgImages();
  expect(await readPixel(await draw(plain), { x: 20, y: 20 })).not.toEqual([20, 20, 20]);
  const image = await draw({ ...plain, state: 'cancelled' });
  const pixel = await readPixel(image, { x: 20, y: 20 });
  for (const channel of pixel.slice(0, 3)) expect(Math.abs(channel - 20)).toBeLessThan(6);
});

test('an image is drawn again only when its content changes', async () => {
  const { draw, listStored } = await openOgImages();
  const first = await draw(plain);
  expect(Buffer.from(await draw({ ...plain, description: 'other' })).equals(first)).toBe(true);
  expect(listStored()).toHaveLength(1);
  await draw({ ...plain, name: 'Another name' });
  await draw({ ...plain, endDate: '2026-12-20' });
  await draw({ ...plain, state: 'cancelled' });
  await draw({ ...plain, theme: null, background: null });
  expect(listStored()).toHaveLength(5);
});

test.each([
  ['missing', null],
  ['unusable', svgPicture.subarray(0, -20)],
])(
  'where the picture is %s, the image has the colour, and is stored under another name',
  async (_, bytes) => {
    const { draw } = await openOgImages(bytes);
    const image = await draw(pictured);
    const [red = 0, green = 0, blue = 0] = await readPixel(image, { x: 20, y: 20 });
    expect(Math.abs(red - 0x10) + Math.abs(green - 0x20) + Math.abs(blue - 0x30)).toBeLessThan(20);
    const whole = await openOgImages(await makePicture({ color: '#00ff00' }));
    const other = await whole.draw(pictured);
    expect(Buffer.from(other).equals(image)).toBe(false);
  },
);

test.each([
  'N'.repeat(300),
  'عيد الأضحى '.repeat(12),
  '漢字'.repeat(100),
  '🎉',
  '<svg onload="alert(1)">&amp;',
  'a\u0000b\ud800',
])('the name %j can be drawn', async (name) => {
  const { draw } = await openOgImages();
  const image = await draw({
    ...plain,
    name,
    inPerson: { start: null, end: null, location: name },
  });
  expect(await sharp(image).metadata()).toMatchObject({ width: 1200, height: 630 });
});

test('the image of the site is drawn once', async () => {
  const { ogImages } = await openOgImages();
  const [first, second] = await Promise.all([ogImages.loadSite(), ogImages.loadSite()]);
  expect(second).toBe(first);
  const response = await respondWith(new Request('http://localhost/'), first, () => null);
  expect(await sharp(await response.bytes()).metadata()).toMatchObject({
    format: 'jpeg',
    width: 1200,
    height: 630,
  });
});

test('a name that is read from right to left is at the right', async () => {
  const { draw } = await openOgImages();
  const image = await draw({ ...plain, name: 'ורשה', inPerson: null, format: null });
  const isInkAt = async (x: number) => {
    const { data } = await sharp(image)
      .extract({ left: x, top: 400, width: 60, height: 166 })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return Math.max(...data) - Math.min(...data) > 60;
  };
  expect(await isInkAt(64)).toBe(false);
  expect(await isInkAt(1076)).toBe(true);
});
