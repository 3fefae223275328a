import { join } from 'node:path';
import type { Site } from '#lib/events/view/site-urls.ts';
import type { Log } from '#lib/http/log.ts';
import { type Cards, createCards } from './og-image/og-images.ts';
import { createAttachmentFetcher } from './pictures/fetch-attachment.ts';
import { createPictures, type Pictures } from './pictures/pictures.ts';
import { createWarmUp, type WarmUp } from './pictures/warm-up.ts';
import { createFileStore } from './store/file-store.ts';

/** All that has to do with pictures. */
export type Media = Readonly<{ pictures: Pictures; cards: Cards; warmUp: WarmUp }>;

export type MediaOptions = Readonly<{
  /** Pictures are kept in `media` below it. */
  dataDir: string;
  /** The upstream that events come from, and the hosts that their pictures may come from. */
  airtable: Readonly<{ apiUrl: string; attachmentHosts: readonly string[] }>;
  site: Site;
  log: Log;
  /** Unix time in ms. */
  now: () => number;
}>;

const limits = { bytesMax: 512 * 1024 * 1024, memoryBytesMax: 32 * 1024 * 1024 } as const;

/** Puts the parts of this room together. */
export function createMedia({ dataDir, airtable, site, log, now }: MediaOptions): Media {
  const { apiUrl, attachmentHosts: hosts } = airtable;
  const store = createFileStore({ folder: join(dataDir, 'media'), log, ...limits });
  const fetcher = createAttachmentFetcher({ hosts, apiUrl });
  const pictures = createPictures({ store, fetcher, site, log, now });
  return {
    pictures,
    cards: createCards({ pictures, store, site, now }),
    warmUp: createWarmUp({ pictures, log }),
  };
}
