import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { createSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import type { Pictures } from '#lib/site/media/pictures/pictures.ts';
import { createWarmUp } from '#lib/site/media/pictures/warm-up.ts';
import { makeDrafts } from '../../../../support/factories/draft-factory.ts';
import { makePicture } from '../../../../support/factories/picture-factory.ts';
import { siteTime } from '../../../../support/factories/site-time.ts';
import { createTestPictures } from '../../../../support/factories/test-pictures.ts';
import { openFileServer } from '../../../../support/servers/file-server.ts';
import { makeTestFolder } from '../../../../support/temporary-folder.ts';
import { createTestLog } from '../../../../support/test-log.ts';

/** Three events with logos under `url`: one ended, one upcoming, one ongoing. */
function threeEvents(url: string, { toPicture }: Pick<Pictures, 'toPicture'>) {
  const readAtMs = Date.parse('2026-03-10T12:00:00Z');
  const starts = ['2026-03-01', '2026-04-01', '2026-03-10'];
  const drafts = makeDrafts(3, (index) => ({
    startDate: starts[index] ?? '',
    endDate: starts[index] ?? '',
    background: null,
    attachments: { logo: { id: `attLogo${index}`, width: null, height: null }, background: null },
  }));
  const signedUrls = new Map(
    drafts.map(({ id }, index) => [id, { logo: `${url}/attLogo${index}`, background: null }]),
  );
  const day = '2026-03-10';
  return createSnapshot(drafts, {
    readAtMs,
    ...siteTime(day),
    yieldWhenDue: createTimeSlices(),
    signedUrls,
    toPicture,
  });
}

async function openWarmUp(listener: RequestListener) {
  const upstream = await openFileServer(listener);
  const { pictures } = createTestPictures({ folder: makeTestFolder(), apiUrl: upstream.url });
  const log = createTestLog();
  const warmUp = createWarmUp({ pictures, log, pauseMs: 1 });
  return {
    upstream,
    pictures,
    log,
    warmUp,
    read: () => threeEvents(upstream.url, pictures),
    /** Fetches a picture of no event; what has begun before is requested before. */
    async fetchOther(id: string) {
      const origin = { url: `${upstream.url}/${id}`, color: null, width: null, height: null };
      await pictures.loadOriginal(id, async () => origin);
    },
  };
}

test('missing pictures are fetched one at a time, current events first', async () => {
  const bytes = await makePicture();
  let open = 0;
  let openMax = 0;
  const { upstream, log, warmUp, read, fetchOther } = await openWarmUp((_, response) => {
    openMax = Math.max(openMax, ++open);
    response.on('close', () => open--);
    // Long enough for a second one to come meanwhile.
    setTimeout(() => response.end(bytes), 20);
  });
  warmUp.offer(await read());
  await fetchOther('attOther1');
  expect(upstream.requestedPaths).toEqual(['/attOther1']);
  warmUp.start();
  await expect.poll(() => log.lines).toHaveLength(1);
  expect(upstream.requestedPaths.slice(1)).toEqual(['/attLogo2', '/attLogo1', '/attLogo0']);
  expect(openMax).toBe(1);
  expect(log.lines[0]).toMatchObject({ fields: { pictures: 3 } });
  const again = await read();
  expect(again.events[0]?.pictures.logo?.thumbHash).toEqual(expect.any(String));
  warmUp.offer(again);
  await fetchOther('attOther2');
  expect(upstream.requestedPaths.slice(4)).toEqual(['/attOther2']);
});

test('an unavailable picture does not stop the others, and is not retried at once', async () => {
  const bytes = await makePicture();
  const { upstream, log, warmUp, read, fetchOther } = await openWarmUp((request, response) => {
    if (request.url === '/attLogo2') response.writeHead(500).end();
    else response.end(bytes);
  });
  warmUp.start();
  warmUp.offer(await read());
  await expect.poll(() => log.lines).toHaveLength(1);
  warmUp.offer(await read());
  await fetchOther('attOther1');
  expect(upstream.requestedPaths).toEqual(['/attLogo2', '/attLogo1', '/attLogo0', '/attOther1']);
});

test('the sizes that visitors see first are created ahead', async () => {
  const bytes = await makePicture({ width: 1000, height: 600 });
  const { upstream, pictures, warmUp, read } = await openWarmUp((_, response) =>
    response.end(bytes),
  );
  warmUp.start();
  warmUp.offer(await read());
  const ids = ['attLogo0', 'attLogo1', 'attLogo2'];
  const isThere = (id: string, width: number) =>
    pictures.peek(id, { width, format: 'avif', isNegotiated: true }) !== undefined;
  const areThere = () => ids.every((id) => isThere(id, 160) && isThere(id, 320));
  await expect.poll(areThere).toBe(true);
  expect(upstream.requestedPaths).toHaveLength(3);
  // No page shows a logo this wide.
  expect(isThere('attLogo0', 1280)).toBe(false);
});
