import { join } from 'node:path';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import type { Log } from '#lib/http/log.ts';
import { createOgImages, type OgImages } from './og-image/og-images.ts';
import { createAttachmentFetcher } from './pictures/fetch-attachment.ts';
import { createPictures, type Pictures } from './pictures/pictures.ts';
import { createWarmUp, type WarmUp } from './pictures/warm-up.ts';
import { createFileStore } from './store/file-store.ts';
import { createPruning } from './store/prune-store.ts';

/** Everything about pictures. */
export type Media = Readonly<{
  pictures: Pictures;
  ogImages: OgImages;
  warmUp: WarmUp;
  /** To be called with each snapshot of the table. */
  onRead: (snapshot: EventsSnapshot) => void;
}>;

type MediaOptions = Readonly<{
  /** Pictures are stored in its subfolder `media`. */
  dataDir: string;
  /** The API that events come from, and the hosts that attachments may be fetched from. */
  airtable: Readonly<{ apiUrl: string; attachmentHosts: readonly string[] }>;
  site: Site;
  log: Log;
  /** Unix time in ms. */
  now: () => number;
}>;

const memoryBytesMax = 32 * 1024 * 1024;

/** Wires up the parts of this module. */
export function createMedia(options: MediaOptions): Media {
  const { dataDir, airtable, site, log, now } = options;
  const { apiUrl, attachmentHosts: hosts } = airtable;
  const store = createFileStore({ folder: join(dataDir, 'media'), memoryBytesMax, log });
  const fetcher = createAttachmentFetcher({ hosts, apiUrl });
  const pictures = createPictures({ store, fetcher, site, log, now });
  const warmUp = createWarmUp({ pictures, log });
  const prune = createPruning(store, now);
  return {
    pictures,
    ogImages: createOgImages({ pictures, store, site, now }),
    warmUp,
    onRead(snapshot) {
      warmUp.offer(snapshot);
      prune(snapshot).catch((error: unknown) =>
        log.error({ err: error }, 'pictures cannot be deleted'),
      );
    },
  };
}
