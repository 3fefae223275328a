import type { Log } from '#lib/http/log.ts';
import type { TrackHistory } from '../changes/history.ts';
import type { ToPicture } from '../model/schema.ts';
import type { TimeZone } from '../model/zoned-time.ts';
import type { DateAnnouncements } from './announcements.ts';
import type { FindSlugs, FindStoredSlug } from './slugs/slug-source.ts';
import type { EventsSnapshot } from './snapshot.ts';
import type { EventsSource } from './source.ts';

/** What the loader reads from, and what it tells of a read. */
export type EventsLoaderOptions = Readonly<{
  source: EventsSource;
  timeZone: TimeZone;
  /** Unix time in ms. */
  now: () => number;
  /** Age after which requests wait for a new snapshot, 1–240. If there is none, the last one serves up to 300 s. */
  cacheSeconds: number;
  log: Log;
  /** Default: events have no pictures. */
  toPicture?: ToPicture;
  /** Default: events have no history. */
  trackHistory?: TrackHistory;
  /** Default: slugs are what the names give. */
  findSlugs?: FindSlugs;
  /** Default: announcements in the future stay there. */
  dateAnnouncements?: DateAnnouncements;
  /** Default: events have no other slugs. */
  findStoredSlug?: FindStoredSlug;
  /** Called with every snapshot that was read. */
  onRead?: (snapshot: EventsSnapshot) => void;
}>;
