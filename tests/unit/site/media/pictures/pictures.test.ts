import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makePicture, svgPicture } from '../../../../support/factories/picture-factory.ts';
import {
  createTestPictures,
  originsAt,
  webpRequest,
} from '../../../../support/factories/test-pictures.ts';
import { openFileServer } from '../../../../support/servers/file-server.ts';
import { makeTestFolder } from '../../../../support/temporary-folder.ts';

const attachment = { id: 'attPicture1', width: 6000, height: 1500 };
const { id } = attachment;

async function openUpstream(bytes: Buffer) {
  return openFileServer((_, response) => response.end(bytes));
}

test('a hundred concurrent requests cost one fetch and get the same bytes', async () => {
  const upstream = await openUpstream(await makePicture());
  const { pictures } = createTestPictures({ folder: makeTestFolder(), apiUrl: upstream.url });
  const results = await Promise.all(
    Array.from({ length: 100 }, () => pictures.load(id, webpRequest, originsAt(upstream.url))),
  );
  expect(upstream.requestedPaths).toEqual([`/${id}`]);
  const files = results.map((result) => (result.kind === 'picture' ? result.file : null));
  expect(files[0]).not.toBeNull();
  expect(new Set(files).size).toBe(1);
});

test('each width is created once, and those above the original’s share one file', async () => {
  const upstream = await openUpstream(await makePicture({ width: 300, height: 200 }));
  const folder = makeTestFolder();
  const { pictures } = createTestPictures({ folder, apiUrl: upstream.url });
  for (const width of [96, 160, 320, 480, 1920, null]) {
    await pictures.load(id, { ...webpRequest, width }, originsAt(upstream.url));
  }
  const names = readdirSync(join(folder, id)).filter((name) => !name.startsWith('master'));
  expect(names.toSorted()).toEqual(['160.webp', '320.webp', '96.webp']);
  expect(upstream.requestedPaths).toHaveLength(1);
});

test.each([
  ['#204060', 'jpeg'],
  ['#20406080', 'png'],
] as const)('with the format plain, a picture of %s is a %s', async (color, format) => {
  const upstream = await openUpstream(await makePicture({ color }));
  const { pictures } = createTestPictures({ folder: makeTestFolder(), apiUrl: upstream.url });
  const wanted = { ...webpRequest, format: 'plain' } as const;
  const result = await pictures.load(id, wanted, originsAt(upstream.url));
  expect(result).toMatchObject({ kind: 'picture', format });
});

test('a picture has the size that the upstream reports, then the real size and a ThumbHash', async () => {
  const upstream = await openUpstream(await makePicture({ width: 400, height: 100 }));
  const folder = makeTestFolder();
  const { pictures } = createTestPictures({ folder, apiUrl: upstream.url });
  const url = 'https://events.example/media/attPicture1';
  const before = { id, url, width: 1920, height: 480, thumbHash: null };
  expect(pictures.toPicture(attachment)).toEqual(before);
  expect(pictures.toPicture({ id, width: 5, height: null })).toMatchObject({ width: null });
  await pictures.loadOriginal(id, originsAt(upstream.url));
  const after = {
    id,
    url,
    width: 400,
    height: 100,
    thumbHash: expect.stringMatching(/^[\w+/]{8,}={0,2}$/),
  };
  expect(pictures.toPicture(attachment)).toEqual(after);
  const restarted = createTestPictures({ folder, apiUrl: upstream.url });
  await restarted.pictures.ready;
  expect(restarted.pictures.toPicture(attachment)).toEqual(pictures.toPicture(attachment));
});

test('an unknown id is unknown, and nothing is fetched', async () => {
  const upstream = await openUpstream(await makePicture());
  const { pictures } = createTestPictures({ folder: makeTestFolder(), apiUrl: upstream.url });
  const result = await pictures.load('attNobody', webpRequest, async () => undefined);
  expect(result).toEqual({ kind: 'unknown' });
  expect(upstream.requestedPaths).toEqual([]);
});

test('a failure is cached for half a minute', async () => {
  const upstream = await openFileServer((_, response) => response.writeHead(403).end());
  const context = createTestPictures({ folder: makeTestFolder(), apiUrl: upstream.url });
  const load = () => context.pictures.load(id, webpRequest, originsAt(upstream.url));
  expect(await load()).toMatchObject({ kind: 'unavailable', origin: { color: '#123456' } });
  await load();
  context.clock.move(29_000);
  await load();
  expect(upstream.requestedPaths).toHaveLength(1);
  context.clock.move(1_000);
  await load();
  context.clock.move(29_000);
  await load();
  expect(upstream.requestedPaths).toHaveLength(2);
  expect(context.pictures.toPicture(attachment)).not.toBeNull();
});

test('an unusable picture disappears from its events, and its URL is not logged', async () => {
  const upstream = await openUpstream(svgPicture);
  const context = createTestPictures({ folder: makeTestFolder(), apiUrl: upstream.url });
  await context.pictures.load(id, webpRequest, originsAt(upstream.url));
  expect(context.pictures.toPicture(attachment)).toBeNull();
  expect(context.log.lines).toEqual([
    {
      level: 'warn',
      fields: { attachment: id, reason: 'not_a_picture' },
      message: 'a picture is unavailable',
    },
  ]);
  expect(context.log.text()).not.toContain(upstream.url);
});

test('no request waits longer than the limit for an upstream that hangs', async () => {
  const upstream = await openFileServer(() => {});
  const folder = makeTestFolder();
  const { pictures } = createTestPictures({
    folder,
    apiUrl: upstream.url,
    waitMaxMs: 50,
    timeoutMs: 400,
  });
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      pictures.load(`attHangs${index}`, webpRequest, originsAt(upstream.url)),
    ),
  );
  expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['unavailable']));
  expect(upstream.requestedPaths.length).toBeLessThanOrEqual(4);
});

test('a hanging upstream does not delay stored pictures', async () => {
  const bytes = await makePicture();
  const upstream = await openFileServer((request, response) => {
    if (request.url === `/${id}`) response.end(bytes);
  });
  const folder = makeTestFolder();
  const { pictures } = createTestPictures({ folder, apiUrl: upstream.url });
  await pictures.loadOriginal(id, originsAt(upstream.url));
  const hanging = Array.from({ length: 20 }, (_, index) =>
    pictures.load(`attHangs${index}`, webpRequest, originsAt(upstream.url)),
  );
  expect((await pictures.load(id, webpRequest, originsAt(upstream.url))).kind).toBe('picture');
  expect(hanging).toHaveLength(20);
});

// ASVS 5.3.1
test('an original that is damaged or lost on disk is fetched again', async () => {
  const upstream = await openUpstream(await makePicture());
  const folder = makeTestFolder();
  const context = { folder, apiUrl: upstream.url, memoryBytesMax: 1 };
  const { pictures } = createTestPictures(context);
  const load = (width: number) =>
    pictures.load(id, { ...webpRequest, width }, originsAt(upstream.url));
  await load(96);
  const original = readdirSync(join(folder, id)).find((name) => name.startsWith('master')) ?? '';
  writeFileSync(join(folder, id, original), 'RIFF    WEBPVP8 and then nothing');
  const repaired = await load(160);
  expect(repaired.kind).toBe('picture');
  rmSync(join(folder, id), { recursive: true });
  expect((await load(320)).kind).toBe('picture');
  expect(upstream.requestedPaths).toHaveLength(3);
});

test('pictures are served even if the disk is not writable', async () => {
  const upstream = await openUpstream(await makePicture());
  const folder = join(makeTestFolder(), 'media');
  writeFileSync(folder, 'in the way');
  const { pictures } = createTestPictures({ folder, apiUrl: upstream.url });
  for (const width of [96, 160, 96]) {
    const result = await pictures.load(id, { ...webpRequest, width }, originsAt(upstream.url));
    if (result.kind !== 'picture') throw new Error(result.kind);
    expect((await sharp(result.file.bytes).metadata()).width).toBe(width);
  }
  expect(upstream.requestedPaths).toHaveLength(1);
});

test('two processes with one folder fetch a picture once', async () => {
  const upstream = await openUpstream(await makePicture());
  const folder = makeTestFolder();
  const [first, second] = [1, 2].map(() => createTestPictures({ folder, apiUrl: upstream.url }));
  await second?.pictures.ready;
  const origins = originsAt(upstream.url);
  const picture = await first?.pictures.load(id, webpRequest, origins);
  const other = await second?.pictures.load(id, webpRequest, origins);
  expect(other).toEqual(picture);
  expect(upstream.requestedPaths).toHaveLength(1);
});

test('a picture that was served is in memory the next time', async () => {
  const upstream = await openUpstream(await makePicture());
  const { pictures } = createTestPictures({ folder: makeTestFolder(), apiUrl: upstream.url });
  expect(pictures.peek(id, webpRequest)).toBeUndefined();
  const loaded = await pictures.load(id, webpRequest, originsAt(upstream.url));
  expect(pictures.peek(id, webpRequest)).toEqual(loaded);
});
