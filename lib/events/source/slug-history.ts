import type { Log } from '#lib/http/log.ts';
import { withTimeout } from '#lib/http/timing/with-timeout.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import type { FormerSlugs } from './former-slugs.ts';

/**
 * Stores the current slugs, and returns all that were ever stored → event ids.
 * @param readAtMs when the events were read; an older read changes nothing.
 */
export type StoreSlugs = (
  slugs: ReadonlyMap<string, string>,
  readAtMs: number,
) => Promise<FormerSlugs>;

type SnapshotPart = Readonly<{
  version: string;
  readAtMs: number;
  events: readonly MarqueeEvent[];
  formerSlugs: FormerSlugs;
}>;

/** Finds the former slugs of a snapshot's events, including those from before this process started. */
export type SlugHistory = (snapshot: SnapshotPart) => Promise<FormerSlugs>;

type SlugHistoryOptions = Readonly<{
  store: StoreSlugs;
  log: Log;
  /** Events are shown without waiting longer than this. */
  timeoutMs?: number;
}>;

/** While slugs cannot be stored, only the former slugs that this process has seen are known. */
export function createSlugHistory({
  store,
  log,
  timeoutMs = 1_000,
}: SlugHistoryOptions): SlugHistory {
  let storedVersion: string | null = null;
  return async ({ version, readAtMs, events, formerSlugs }) => {
    if (version === storedVersion) return formerSlugs;
    const current = new Map(events.map(({ slug, id }) => [slug, id]));
    try {
      const stored = await withTimeout(store(current, readAtMs), timeoutMs);
      storedVersion = version;
      const former = [...stored].filter(([slug, id]) => current.get(slug) !== id);
      return new Map([...former, ...formerSlugs]);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      log.warn({ code }, 'slugs of events could not be stored');
      return formerSlugs;
    }
  };
}
