import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { PictureRequest } from '#lib/site/media/pictures/picture-request.ts';
import { makePicture } from '../../../../support/factories/picture-factory.ts';
import {
  createTestPictures,
  originsAt,
  webpRequest,
} from '../../../../support/factories/test-pictures.ts';
import { openFileServer } from '../../../../support/servers/file-server.ts';
import { makeTestFolder } from '../../../../support/temporary-folder.ts';

const attachment = { id: 'attPicture1', width: 6000, height: 1500 };
const { id } = attachment;

type Options = Partial<Parameters<typeof createTestPictures>[0]>;

/** Pictures from an upstream that sends these bytes, or does something else. */
async function openPictures(upstreamDoes: Buffer | RequestListener, options: Options = {}) {
  const upstream = await openFileServer(
    Buffer.isBuffer(upstreamDoes) ? (_, response) => response.end(upstreamDoes) : upstreamDoes,
  );
  const { folder = makeTestFolder() } = options;
  const open = () => createTestPictures({ ...options, folder, apiUrl: upstream.url });
  const opened = open();
  const origins = originsAt(upstream.url);
  const load = (request: Partial<PictureRequest> = {}, attachmentId = id) =>
    opened.pictures.load(attachmentId, { ...webpRequest, ...request }, origins);
  const loadOriginal = () => opened.pictures.loadOriginal(id, origins);
  return { ...opened, upstream, folder, open, load, loadOriginal };
}

test('a hundred concurrent requests cost one fetch and get the same bytes', async () => {
  const { upstream, load } = await openPictures(await makePicture());
  const results = await Promise.all(Array.from({ length: 100 }, () => load()));
  expect(upstream.requestedPaths).toEqual([`/${id}`]);
  const files = results.map((result) => (result.kind === 'picture' ? result.file : null));
  expect(files[0]).not.toBeNull();
  expect(new Set(files).size).toBe(1);
});

test('each width is created once, and those above the original’s share one file', async () => {
  const picture = await makePicture({ width: 300, height: 200 });
  const { upstream, folder, load } = await openPictures(picture);
  for (const width of [96, 160, 320, 480, 1920, null]) await load({ width });
  const names = readdirSync(join(folder, id)).filter((name) => !name.startsWith('master'));
  expect(names.toSorted()).toEqual(['160.webp', '320.webp', '96.webp']);
  expect(upstream.requestedPaths).toHaveLength(1);
});

test.each([
  ['#204060', 'jpeg'],
  ['#20406080', 'png'],
] as const)('with the format plain, a picture of %s is a %s', async (color, format) => {
  const { load } = await openPictures(await makePicture({ color }));
  expect(await load({ format: 'plain' })).toMatchObject({ kind: 'picture', format });
});

test('a picture has the size that the upstream reports, then the real size and a ThumbHash', async () => {
  const picture = await makePicture({ width: 400, height: 100 });
  const { pictures, open, loadOriginal } = await openPictures(picture);
  const url = 'https://events.example/media/attPicture1';
  const before = { id, url, width: 1920, height: 480, thumbHash: null };
  expect(pictures.toPicture(attachment)).toEqual(before);
  expect(pictures.toPicture({ id, width: 5, height: null })).toMatchObject({ width: null });
  await loadOriginal();
  const thumbHash = expect.stringMatching(/^[\w+/]{8,}={0,2}$/);
  expect(pictures.toPicture(attachment)).toEqual({ id, url, width: 400, height: 100, thumbHash });
  const restarted = open();
  await restarted.pictures.ready;
  expect(restarted.pictures.toPicture(attachment)).toEqual(pictures.toPicture(attachment));
});

test('an unknown id is unknown, and nothing is fetched', async () => {
  const { upstream, pictures } = await openPictures(await makePicture());
  const result = await pictures.load('attNobody', webpRequest, async () => undefined);
  expect(result).toEqual({ kind: 'unknown' });
  expect(upstream.requestedPaths).toEqual([]);
});

test('a failure is cached for half a minute', async () => {
  const { upstream, pictures, clock, load } = await openPictures((_, response) =>
    response.writeHead(403).end(),
  );
  expect(await load()).toMatchObject({ kind: 'unavailable', origin: { color: '#123456' } });
  await load();
  clock.move(29_000);
  await load();
  expect(upstream.requestedPaths).toHaveLength(1);
  clock.move(1_000);
  await load();
  clock.move(29_000);
  await load();
  expect(upstream.requestedPaths).toHaveLength(2);
  expect(pictures.toPicture(attachment)).not.toBeNull();
});

test('an unusable picture disappears from its events, and its URL is not logged', async () => {
  const { upstream, pictures, log, load } = await openPictures(Buffer.from('%PDF-1.7'));
  await load();
  expect(pictures.toPicture(attachment)).toBeNull();
  const fields = { attachment: id, reason: 'not_a_picture' };
  expect(log.lines).toEqual([{ level: 'warn', fields, message: 'a picture is unavailable' }]);
  expect(log.text()).not.toContain(upstream.url);
});

test('no request waits longer than the limit for an upstream that hangs', async () => {
  const { upstream, load } = await openPictures(() => {}, { waitMaxMs: 50, timeoutMs: 400 });
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => load({}, `attHangs${index}`)),
  );
  expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['unavailable']));
  expect(upstream.requestedPaths.length).toBeLessThanOrEqual(4);
});

test('a hanging upstream does not delay stored pictures', async () => {
  const bytes = await makePicture();
  const { load, loadOriginal } = await openPictures((request, response) => {
    if (request.url === `/${id}`) response.end(bytes);
  });
  await loadOriginal();
  for (let index = 0; index < 20; index += 1) void load({}, `attHangs${index}`);
  expect((await load()).kind).toBe('picture');
});

// ASVS 5.3.1
test('an original that is damaged or lost on disk is fetched again', async () => {
  const picture = await makePicture();
  const { upstream, folder, load } = await openPictures(picture, { memoryBytesMax: 1 });
  await load({ width: 96 });
  const original = readdirSync(join(folder, id)).find((name) => name.startsWith('master')) ?? '';
  writeFileSync(join(folder, id, original), 'RIFF    WEBPVP8 and then nothing');
  expect((await load({ width: 160 })).kind).toBe('picture');
  rmSync(join(folder, id), { recursive: true });
  expect((await load({ width: 320 })).kind).toBe('picture');
  expect(upstream.requestedPaths).toHaveLength(3);
});

test('pictures are served even if the disk is not writable', async () => {
  const folder = join(makeTestFolder(), 'media');
  writeFileSync(folder, 'in the way');
  const { upstream, load } = await openPictures(await makePicture(), { folder });
  for (const width of [96, 160, 96]) {
    const result = await load({ width });
    if (result.kind !== 'picture') throw new Error(result.kind);
    expect((await sharp(result.file.bytes).metadata()).width).toBe(width);
  }
  expect(upstream.requestedPaths).toHaveLength(1);
});

test('two processes with one folder fetch a picture once', async () => {
  const { upstream, load, open } = await openPictures(await makePicture());
  const other = open().pictures;
  await other.ready;
  const picture = await load();
  expect(await other.load(id, webpRequest, originsAt(upstream.url))).toEqual(picture);
  expect(upstream.requestedPaths).toHaveLength(1);
});

test('a picture that was served is in memory the next time', async () => {
  const { pictures, load } = await openPictures(await makePicture());
  expect(pictures.peek(id, webpRequest)).toBeUndefined();
  const loaded = await load();
  expect(pictures.peek(id, webpRequest)).toEqual(loaded);
});
