import { LRUCache } from 'lru-cache';
import type { FetchFailure } from './fetch-attachment.ts';
import type { RasterFailure } from './process-image.ts';

export type PictureFailure = FetchFailure | RasterFailure;

/** Remembers for a while which pictures could not be had, so that nobody is asked in vain again and again. */
export type FailureMemory = Readonly<{
  note: (id: string, reason: PictureFailure) => void;
  forget: (id: string) => void;
  /** Whether a failure counts still. */
  has: (id: string) => boolean;
  /** Whether its bytes are no picture that could be shown: they will not change. */
  isHopeless: (id: string) => boolean;
}>;

type Noted = Readonly<{ untilMs: number; times: number; isHopeless: boolean }>;

const firstPauseMs = 30_000;
const longestPauseMs = 10 * 60_000;
const hopelessPauseMs = 60 * 60_000;

const hopeless: ReadonlySet<PictureFailure> = new Set([
  'not_a_picture',
  'too_many_pixels',
  'broken',
  'too_large',
]);

/** @param now Unix time in ms. */
export function createFailureMemory(now: () => number): FailureMemory {
  const noted = new LRUCache<string, Noted>({ max: 20_000 });

  const current = (id: string) => {
    const failure = noted.get(id);
    return failure !== undefined && now() < failure.untilMs ? failure : undefined;
  };

  return {
    note(id, reason) {
      const times = (noted.get(id)?.times ?? 0) + 1;
      const isHopeless = hopeless.has(reason);
      const pauseMs = isHopeless
        ? hopelessPauseMs
        : Math.min(firstPauseMs * 2 ** (times - 1), longestPauseMs);
      noted.set(id, { untilMs: now() + pauseMs, times, isHopeless });
    },
    forget: (id) => void noted.delete(id),
    has: (id) => current(id) !== undefined,
    isHopeless: (id) => current(id)?.isHopeless === true,
  };
}
