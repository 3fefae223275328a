import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { picturesFolder } from '#lib/demo/load-pictures.ts';
import { makeRecord, startUpstream } from '../../../support/upstreams/upstream.ts';

const twoHoursMs = 2 * 60 * 60 * 1000;

test('a picture needs no token, and has a thumbnail, until its URL expires after two hours', async () => {
  const stored = [{ id: 'att00000000000001', file: 'lantern-night.webp' }];
  const now = () => Date.parse('2026-11-21T12:00:00.000Z');
  await using fixture = await startUpstream({ records: [makeRecord({ Logo: stored })], now });
  const [record] = await fixture.client.readRecords();
  const [{ url, thumbnails }] = JSON.parse(JSON.stringify(record?.fields.Logo));

  const picture = await fetch(url);
  expect(picture.headers.get('content-type')).toBe('image/webp');
  const bytes = await readFile(join(picturesFolder, 'lantern-night.webp'));
  expect(Buffer.from(await picture.bytes()).equals(bytes)).toBe(true);
  const small = await (await fetch(thumbnails.small.url)).bytes();
  expect(small.byteLength).toBeLessThan(3000);

  fixture.upstream.advanceClock(twoHoursMs);
  expect((await fetch(url)).status).toBe(200);
  fixture.upstream.advanceClock(1);
  expect((await fetch(url)).status).toBe(410);
});
