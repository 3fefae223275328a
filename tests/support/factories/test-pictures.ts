import { onTestFinished } from 'vitest';
import { createAttachmentFetcher } from '#lib/site/media/pictures/fetch-attachment.ts';
import type { PictureRequest } from '#lib/site/media/pictures/picture-request.ts';
import { createPictures, type FindOrigin } from '#lib/site/media/pictures/pictures.ts';
import { createFileStore } from '#lib/site/media/store/file-store.ts';
import { createFakeClock } from '../fake-clock.ts';
import { createTestLog } from '../test-log.ts';
import { testSite } from '../test-site.ts';

type TestPicturesOptions = Readonly<{
  folder: string;
  /** The origin of attachments. */
  apiUrl: string;
  waitMaxMs?: number;
  timeoutMs?: number;
  memoryBytesMax?: number;
}>;

/** Pictures with a store in a folder and a fake clock. */
export function createTestPictures({
  folder,
  apiUrl,
  waitMaxMs = 5000,
  ...options
}: TestPicturesOptions) {
  const { timeoutMs = 5000, memoryBytesMax = 10_000_000 } = options;
  const log = createTestLog();
  const clock = createFakeClock();
  const store = createFileStore({ folder, memoryBytesMax, log });
  const fetcher = createAttachmentFetcher({ hosts: [], apiUrl, timeoutMs });
  onTestFinished(() => fetcher.close());
  const { now } = clock;
  const pictures = createPictures({ store, fetcher, site: testSite, log, now, waitMaxMs });
  return { log, clock, store, pictures };
}

/** Finds every id, at a URL below this one. */
export function originsAt(url: string): FindOrigin {
  return async (id) => ({ url: `${url}/${id}`, color: '#123456', width: 80, height: 60 });
}

export const webpRequest: PictureRequest = { width: 96, format: 'webp', isNegotiated: true };
