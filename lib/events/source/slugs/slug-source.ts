import type { Log } from '#lib/http/log.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { withTimeout } from '#lib/http/with-timeout.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { waitForQuery } from '#lib/storage/wait-for-database.ts';
import { compareAnnouncement } from '../events-index.ts';
import { numberSlugs, toSlugBase, toSlugs } from './slug-names.ts';
import type { ReadNames, SlugStore, StoredSlug } from './slug-store.ts';

/** The slugs of the events of one read. */
export type Slugs = Readonly<{
  /** By record id. */
  byId: ReadonlyMap<string, string>;
  /** False while the database is away. */
  areStored: boolean;
  /** While the database is away: slugs that several events share → the ids that they may belong to. */
  shared: ReadonlyMap<string, string>;
}>;

/** Finds the slugs of the events of a read. */
export type FindSlugs = (read: ReadNames) => Promise<Slugs>;

type SlugSourceOptions = Readonly<{
  assign: SlugStore['assign'];
  log: Log;
  /** Events are shown without waiting longer than this. */
  timeoutMs?: number;
}>;

/** The stored slugs. While they cannot be read, events keep those that this process knows. */
export function createSlugSource({ assign, log, timeoutMs = 3_000 }: SlugSourceOptions): FindSlugs {
  let known: KnownSlugs = new Map();
  return async (read) => {
    try {
      const byId = await withTimeout(assign(read), timeoutMs);
      known = new Map(read.events.map(({ id, name }) => [id, { name, slug: byId.get(id) ?? id }]));
      return { byId, areStored: true, shared: new Map() };
    } catch (error) {
      log.warn(toLogFields(error), 'slugs of events could not be read');
      return toTemporarySlugs(read.events, known);
    }
  };
}

/** Looks up a slug or id that no event has; null if none ever had it, or while the database is away. */
export type FindStoredSlug = (idOrSlug: string) => Promise<StoredSlug | null>;

export function createSlugLookup(find: FindStoredSlug): FindStoredSlug {
  return (idOrSlug) => waitForQuery(find(idOrSlug)).catch(() => null);
}

type KnownSlugs = ReadonlyMap<string, Readonly<{ name: string; slug: string }>>;

/**
 * Slugs without the stored ones: what a name gives, unless another event’s name gives the same. Which of those has it
 * is not known, so they have their ids.
 */
async function toTemporarySlugs(events: ReadNames['events'], known: KnownSlugs): Promise<Slugs> {
  const yieldWhenDue = createTimeSlices();
  const ordered = events.toSorted(compareAnnouncement);
  const byId = new Map<string, string>();
  for (const { id, name } of events) {
    const last = known.get(id);
    if (last?.name === name) byId.set(id, last.slug);
  }
  const bases = new Map(events.map((event) => [event.id, toSlugBase(event)]));
  const ofBase = Map.groupBy(events, ({ id }) => bases.get(id));
  const isShared = ({ id }: Readonly<{ id: string }>) => {
    return (ofBase.get(bases.get(id))?.length ?? 0) > 1;
  };
  const unknown = ordered.filter(({ id }) => !byId.has(id));
  const shared = new Map<string, string>();
  for (const [id, slug] of await toSlugs(ordered, yieldWhenDue)) {
    if (isShared({ id }) && !byId.has(id)) shared.set(slug, id);
  }
  const others = await numberSlugs(unknown, {
    toBase: (event) => (isShared(event) ? event.id.toLowerCase() : toSlugBase(event)),
    taken: byId.values(),
    yieldWhenDue,
  });
  for (const [id, slug] of others) byId.set(id, slug);
  return { byId, areStored: false, shared };
}
