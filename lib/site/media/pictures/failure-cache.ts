import { LRUCache } from 'lru-cache';
import type { FetchFailure } from './fetch-attachment.ts';
import type { ImageFailure } from './process-image.ts';

export type PictureFailure = FetchFailure | ImageFailure;

/** Remembers which pictures failed, so that they are not fetched again too soon. */
export type FailureCache = Readonly<{
  add: (id: string, reason: PictureFailure) => void;
  remove: (id: string) => void;
  /** Whether it failed and the pause has not passed yet. */
  has: (id: string) => boolean;
  /** Whether its bytes are unusable, which another fetch would not change. */
  isPermanent: (id: string) => boolean;
}>;

type Failure = Readonly<{ untilMs: number; attempts: number; isPermanent: boolean }>;

const firstPauseMs = 30_000;
const longestPauseMs = 10 * 60_000;
const permanentPauseMs = 60 * 60_000;

const permanentReasons: ReadonlySet<PictureFailure> = new Set([
  'not_a_picture',
  'too_many_pixels',
  'broken',
  'too_large',
]);

/**
 * The pause doubles with each failure, from 30 s to 10 min; it is an hour for unusable bytes.
 * @param now Unix time in ms.
 */
export function createFailureCache(now: () => number): FailureCache {
  const failures = new LRUCache<string, Failure>({ max: 20_000 });

  const findCurrent = (id: string) => {
    const failure = failures.get(id);
    return failure !== undefined && now() < failure.untilMs ? failure : undefined;
  };

  return {
    add(id, reason) {
      const attempts = (failures.get(id)?.attempts ?? 0) + 1;
      const isPermanent = permanentReasons.has(reason);
      const pauseMs = isPermanent
        ? permanentPauseMs
        : Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);
      failures.set(id, { untilMs: now() + pauseMs, attempts, isPermanent });
    },
    remove: (id) => void failures.delete(id),
    has: (id) => findCurrent(id) !== undefined,
    isPermanent: (id) => findCurrent(id)?.isPermanent === true,
  };
}
