import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { boundEntries } from '#lib/http/bound-entries.ts';
import type { Log } from '#lib/http/log.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { toUnavailableError, waitForQuery } from '#lib/storage/wait-for-database.ts';

/** With the time of a query, a change takes effect within 5 s. */
const ttlMs = 2_000;
/** While the database fails, one request in this time tries it; no other waits for it. */
const retryMs = 1_000;
const recordsMax = 10_000;
const unknownMax = 1_000;

type RecordCacheOptions<T> = Readonly<{
  /** Such as `keys`, for the log. */
  name: string;
  /** Those of these ids that exist. */
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  log: Log;
  /** A monotonic clock, in ms. */
  uptime: () => number;
}>;

/**
 * The record with the first of these ids that exists. @param staleMs while the database is away, how old it may be
 * @throws HttpError 503 if that cannot be found out
 */
type FindRecord<T> = (ids: readonly string[], staleMs?: number) => Promise<T | null>;

type Read<T> = Readonly<{ value: T | null; readAt: number }>;

/** Records from memory, as they were in the database within the last two seconds. */
export function createRecordCache<T>(options: RecordCacheOptions<T>): FindRecord<T> {
  const { name, uptime } = options;
  const loader = createLoader(options);
  const unavailable = {
    message: `${name === 'keys' ? 'API keys' : 'Accounts'} cannot be checked`,
    reason: `${name}_unreadable`,
  };

  async function read(ids: readonly string[]): Promise<Read<T>> {
    const readAt = uptime();
    const found = await loader.load(ids);
    const values = ids.map((id) => found.get(id));
    return { value: values.find((value) => value !== undefined) ?? null, readAt };
  }

  const common = { ttl: ttlMs, ttlResolution: 0, perf: { now: uptime } } as const;
  const records = new LRUCache<string, Read<T>, readonly string[]>({
    ...common,
    ...boundEntries(recordsMax),
    fetchMethod: (_id, _stale, { context }) => read(context),
    noDeleteOnFetchRejection: true,
  });
  // Clients can make up any number of ids: they have a cache of their own, and displace no record.
  const unknown = new LRUCache<string, Read<T>, readonly string[]>({
    ...common,
    max: unknownMax,
    async fetchMethod(id, _stale, { context }) {
      const found = await read(context);
      if (found.value !== null) records.set(id, found);
      return found;
    },
    // Displaced while it is being read.
    ignoreFetchAbort: true,
  });

  return async (ids, staleMs = ttlMs) => {
    const [id = ''] = ids;
    const last = records.peek(id, { allowStale: true });
    const isUsable = last !== undefined && uptime() - last.readAt < staleMs;
    try {
      if (last === undefined) return (await unknown.fetch(id, { context: ids }))?.value ?? null;
      const allowStale = loader.isPaused() && isUsable;
      return (await records.fetch(id, { context: ids, allowStale }))?.value ?? null;
    } catch (cause) {
      if (isUsable) return last.value;
      throw toUnavailableError(unavailable, cause);
    }
  };
}

/** Lookups of one turn of the event loop share a query. */
function createLoader<T>({ name, load, log, uptime }: RecordCacheOptions<T>) {
  let batch: Readonly<{ ids: Set<string>; found: Promise<ReadonlyMap<string, T>> }> | null = null;
  let failure: unknown = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  const isPaused = (): boolean => failure !== null && uptime() - triedAt < retryMs;

  async function loadBatch(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, T>> {
    await nextTurn();
    batch = null;
    if (isPaused()) throw failure;
    triedAt = uptime();
    try {
      const found = await waitForQuery(load([...ids]));
      if (failure !== null) log.info({}, `${name} can be read again`);
      failure = null;
      return found;
    } catch (error) {
      const fields = { reason: `${name}_unreadable`, ...toLogFields(error) };
      if (failure === null) log.warn(fields, `${name} cannot be read`);
      failure = error;
      throw error;
    }
  }

  return {
    isPaused,
    load(ids: readonly string[]): Promise<ReadonlyMap<string, T>> {
      if (batch === null) {
        const all = new Set<string>();
        batch = { ids: all, found: loadBatch(all) };
      }
      for (const id of ids) batch.ids.add(id);
      return batch.found;
    },
  };
}
