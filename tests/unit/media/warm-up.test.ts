import { expect, test, vi } from 'vitest';
import { createPace } from '#lib/events/pacer.ts';
import type { EventDraft } from '#lib/events/schema.ts';
import { createSnapshot } from '#lib/events/snapshot.ts';
import type { Pictures } from '#lib/media/pictures.ts';
import { createWarmUp } from '#lib/media/warm-up.ts';
import { makeDrafts } from '../../support/draft-factory.ts';
import { openFileServer } from '../../support/file-server.ts';
import { createKeptLog } from '../../support/kept-log.ts';
import { makePicture } from '../../support/made-pictures.ts';
import { openPictures } from '../../support/picture-house.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

function snapshotOf(drafts: readonly EventDraft[], { toPicture }: Pick<Pictures, 'toPicture'>) {
  const readAtMs = Date.parse('2026-03-10T12:00:00Z');
  return createSnapshot(drafts, { readAtMs, day: '2026-03-10', pace: createPace(), toPicture });
}

/** Events with a logo each: one has ended, one is to come, one is on. */
function threeEvents(url: string): EventDraft[] {
  const starts = ['2026-03-01', '2026-04-01', '2026-03-10'];
  return makeDrafts(3, (index) => ({
    startDate: starts[index] ?? '',
    endDate: starts[index] ?? '',
    logoUrl: `${url}/attLogo${index}`,
    background: null,
    attachments: { logo: { id: `attLogo${index}`, width: null, height: null }, background: null },
  }));
}

test('pictures that are missing are fetched one after the other, those of events that are on first', async () => {
  const bytes = await makePicture();
  let open = 0;
  let openMax = 0;
  const upstream = await openFileServer((_, response) => {
    openMax = Math.max(openMax, ++open);
    response.on('close', () => open--);
    setTimeout(() => response.end(bytes), 20);
  });
  const { pictures } = openPictures({ folder: makeTestFolder(), apiUrl: upstream.url });
  const log = createKeptLog();
  const warmUp = createWarmUp({ pictures, log, pauseMs: 1 });
  warmUp.offer(await snapshotOf(threeEvents(upstream.url), pictures));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(upstream.asked).toEqual([]);
  warmUp.start();
  await vi.waitFor(() => expect(log.lines).toHaveLength(1), 10_000);
  expect(upstream.asked).toEqual(['/attLogo2', '/attLogo1', '/attLogo0']);
  expect(openMax).toBe(1);
  expect(log.lines[0]).toMatchObject({ fields: { pictures: 3 } });
  const again = await snapshotOf(threeEvents(upstream.url), pictures);
  expect(again.events[0]?.pictures.logo?.thumbHash).toEqual(expect.any(String));
  warmUp.offer(again);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(upstream.asked).toHaveLength(3);
}, 20_000);

test('a picture that cannot be had does not keep the others waiting, nor is it asked for again at once', async () => {
  const bytes = await makePicture();
  const upstream = await openFileServer((request, response) => {
    if (request.url === '/attLogo2') response.writeHead(500).end();
    else response.end(bytes);
  });
  const { pictures } = openPictures({ folder: makeTestFolder(), apiUrl: upstream.url });
  const log = createKeptLog();
  const warmUp = createWarmUp({ pictures, log, pauseMs: 1 });
  warmUp.start();
  warmUp.offer(await snapshotOf(threeEvents(upstream.url), pictures));
  await vi.waitFor(() => expect(log.lines).toHaveLength(1), 10_000);
  warmUp.offer(await snapshotOf(threeEvents(upstream.url), pictures));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(upstream.asked).toEqual(['/attLogo2', '/attLogo1', '/attLogo0']);
}, 20_000);

test('a store that is nearly full is left to what visitors ask for', async () => {
  const upstream = await openFileServer((_, response) => response.end());
  const house = openPictures({ folder: makeTestFolder(), apiUrl: upstream.url });
  const pictures = { ...house.pictures, fullness: () => 0.8 };
  const warmUp = createWarmUp({ pictures, log: createKeptLog(), pauseMs: 1 });
  warmUp.start();
  warmUp.offer(await snapshotOf(threeEvents(upstream.url), pictures));
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect(upstream.asked).toEqual([]);
}, 20_000);
