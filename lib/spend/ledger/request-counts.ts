import { LRUCache } from 'lru-cache';
import { boundEntries } from '#lib/http/bound-entries.ts';
import { minuteMs } from '#lib/storage/days.ts';
import type { Books, Counted, Reads, RequestCounts } from './books.ts';

/** What bounds the requests of a key. */
export type CountedKey = Readonly<{ id: string; requestsPerMinute: number }>;

/** The requests of a key in the last minute. Times are ms from now. */
type RequestsDecision = Readonly<{
  isGranted: boolean;
  left: number;
  /** Until none counts any more, without further requests. */
  resetMs: number;
  /** Until one more fits, without further requests. */
  waitMs: number;
}>;

/** What a process knows of the requests of a key. */
type KnownRequests = {
  /** As the database had them last. */
  stored: RequestCounts | null;
  /** Of this process, which the database does not have yet. */
  waiting: number;
  /** Of other processes, since this one has known the key. */
  others: number;
  /** The clock of the database is ahead of that of this process, ms. */
  aheadMs: number;
};

const keysMax = 10_000;

/** Counts the requests of this process by key; those of others are known from the last change of the database. */
export function createRequestCounter(now: () => number): (key: CountedKey) => CountedRequest {
  const all = new LRUCache<string, KnownRequests>(boundEntries(keysMax));
  return (key) => {
    const known = all.get(key.id) ?? { stored: null, waiting: 0, others: 0, aheadMs: 0 };
    all.set(key.id, known);
    return new CountedRequest(key, known, now);
  };
}

/**
 * A request of the minute. It counts in a sliding window: the requests of this minute, and of the one before the share
 * that the last sixty seconds contain. (A fixed window would allow twice the limit around the turn of a minute.) A
 * rejected request counts, too, as with OpenAI. The requests of a process count in the order in which they began.
 */
export class CountedRequest {
  readonly key: CountedKey;
  /** By what this process knows; once it is stored, by all. */
  decision: RequestsDecision;
  readonly #known: KnownRequests;
  readonly #now: () => number;
  /** Of the minute, those that began before it, as far as they were known. */
  readonly #used: number;
  readonly #others: number;
  #counted: (Counted & Readonly<{ decision: RequestsDecision }>) | null = null;
  #isWaiting = true;

  constructor(key: CountedKey, known: KnownRequests, now: () => number) {
    this.key = key;
    this.#known = known;
    this.#now = now;
    const time = now() + known.aheadMs;
    const counts = toCountsIn(time, known.stored);
    this.#used = toUsed(time, counts) + known.waiting;
    this.#others = known.others;
    known.waiting += 1;
    const after = { ...counts, count: counts.count + known.waiting };
    this.decision = decide(key, { used: this.#used, after, time });
  }

  /** What a transaction that stores something of it has to count. */
  get counts(): Reads['counted'] {
    return this.#isWaiting ? [{ key_id: this.key.id, count: 1 }] : [];
  }

  /** Part of such a transaction. Returns whether the minute has room, by what the database has counted of all processes. */
  countIn(books: Books): boolean {
    if (!this.#isWaiting) return true;
    const counted = books.countedOf(this.key.id);
    this.#counted = { ...counted, decision: this.#decide(counted) };
    return this.#counted.decision.isGranted;
  }

  /** That transaction is committed. */
  store(): void {
    if (this.#counted === null || !this.#isWaiting) return;
    const { now, after, decision } = this.#counted;
    this.decision = decision;
    this.#known.others = this.#toOthers(this.#counted);
    this.#known.stored = after;
    this.#known.aheadMs = now - this.#now();
    this.forget();
  }

  /** It is not counted any more in this process. */
  forget(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#known.waiting -= 1;
  }

  #decide(counted: Counted): RequestsDecision {
    const { now: time, after } = counted;
    const used = this.#used + this.#toOthers(counted) - this.#others;
    return decide(this.key, { used, after: toCountsIn(time, after), time });
  }

  /** The requests of other processes that are known with this count. */
  #toOthers({ now: time, after, count }: Counted): number {
    const { stored, others } = this.#known;
    // A transaction counts in one minute.
    const before = toUsed(time, toCountsIn(time, after)) - count;
    return others + Math.max(0, before - toUsed(time, toCountsIn(time, stored)));
  }
}

type Counts = Readonly<Pick<RequestCounts, 'minute' | 'count' | 'count_before'>>;

/** In the minute of a time. A clock that was set back stays in the later minute. */
function toCountsIn(time: number, counts: Counts | null): Counts {
  const minute = Math.floor(time / minuteMs);
  if (counts === null || minute > counts.minute + 1) return { minute, count: 0, count_before: 0 };
  const { count, count_before } = counts;
  return minute > counts.minute
    ? { minute, count: 0, count_before: count }
    : { minute, count, count_before };
}

function toUsed(time: number, { minute, count, count_before }: Counts): number {
  return count + count_before * (1 - (time - minute * minuteMs) / minuteMs);
}

type Input = Readonly<{
  /** By the requests before. */
  used: number;
  /** With this one. */
  after: Counts;
  time: number;
}>;

function decide({ requestsPerMinute }: CountedKey, { used, after, time }: Input): RequestsDecision {
  const elapsedMs = time - after.minute * minuteMs;
  return {
    isGranted: used < requestsPerMinute,
    left: Math.max(0, Math.ceil(requestsPerMinute - used) - 1),
    resetMs: 2 * minuteMs - elapsedMs,
    waitMs: Math.max(0, toMsUntilFree(after, requestsPerMinute) - elapsedMs),
  };
}

/** From the minute's start: until the share that counts is below the limit. */
function toMsUntilFree({ count, count_before }: Counts, limit: number): number {
  if (count < limit) return toMsUntilBelow(limit - count, count_before);
  return minuteMs + toMsUntilBelow(limit, count);
}

/** Until so much of a minute's count is left as is below a limit. */
function toMsUntilBelow(limit: number, count: number): number {
  return count < limit ? 0 : Math.floor(((count - limit) * minuteMs) / count) + 1;
}
