import { onTestFinished } from 'vitest';
import { createAttachmentFetcher } from '#lib/media/pictures/fetch-attachment.ts';
import type { PictureRequest } from '#lib/media/pictures/parse-picture-request.ts';
import { createPictures, type FindOrigin } from '#lib/media/pictures/pictures.ts';
import { createFileStore } from '#lib/media/store/file-store.ts';
import { createFakeClock } from './fake-clock.ts';
import { createTestLog } from './test-log.ts';
import { testSite } from './test-site.ts';

type HouseOptions = Readonly<{
  folder: string;
  /** What attachments are fetched from. */
  apiUrl: string;
  waitMaxMs?: number;
  timeoutMs?: number;
  memoryBytesMax?: number;
}>;

/** Pictures over a store in a folder, with a clock that is moved by hand. */
export function createTestPictures({ folder, apiUrl, waitMaxMs = 5000, ...options }: HouseOptions) {
  const { timeoutMs = 5000, memoryBytesMax = 10_000_000 } = options;
  const log = createTestLog();
  const clock = createFakeClock();
  const store = createFileStore({ folder, bytesMax: 50_000_000, memoryBytesMax, log });
  const fetcher = createAttachmentFetcher({ hosts: [], apiUrl, timeoutMs });
  onTestFinished(() => fetcher.close());
  const { now } = clock;
  const pictures = createPictures({ store, fetcher, site: testSite, log, now, waitMaxMs });
  return { log, clock, store, pictures };
}

/** Every id is known, and its bytes are under it at this address. */
export function originsAt(url: string): FindOrigin {
  return async (id) => ({ url: `${url}/${id}`, color: '#123456', width: 80, height: 60 });
}

export const webpRequest: PictureRequest = { width: 96, format: 'webp', isNegotiated: true };
