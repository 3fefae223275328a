import type { Config } from '#lib/config/config.ts';
import type { Log } from '#lib/http/log.ts';
import { createSharedPause, type SharedRedis } from '#lib/redis/redis.ts';
import { createSharedCache } from '#lib/redis/shared-cache.ts';
import type { ChangeStore } from './changes/change-store.ts';
import { createChangeWatcher } from './changes/change-stream.ts';
import { createHistoryTracker } from './changes/history.ts';
import type { HistoryStore, OnChanges } from './changes/history-store.ts';
import { type ChangesResponder, createChangesResponder } from './changes/respond-with-changes.ts';
import type { ToPicture } from './model/schema.ts';
import { createTimeZone } from './model/zoned-time.ts';
import {
  type CallQuota,
  type CallStore,
  createCallCounter,
  toCallQuota,
} from './source/airtable/call-quota.ts';
import { type AirtableClientOptions, createAirtableClient } from './source/airtable/client.ts';
import { createAirtableSource, missingCredentials } from './source/airtable/source.ts';
import { guardTable, type TableStore, toTableName } from './source/airtable/table-guard.ts';
import { createSlugHistory, type SlugStore } from './source/former-slugs.ts';
import { createEventsLoader, type EventsLoader, refreshAheadAt } from './source/loader.ts';
import { createSharedSource } from './source/shared-source.ts';
import type { EventsSnapshot } from './source/snapshot.ts';
import type { EventsSource } from './source/source.ts';
import {
  createTableHook,
  createTableRefresher,
  type RefreshStore,
  type RespondToTableHook,
} from './source/table-refresher.ts';

/** All that reads the events table, and tells of its changes. */
export type Events = Readonly<{
  events: EventsLoader;
  respondWithChanges: ChangesResponder;
  respondToTableHook: RespondToTableHook;
  /** How often Airtable is called, beside what the plan allows. */
  findCallQuota: () => Promise<CallQuota>;
  closeEvents: () => Promise<void>;
}>;

type EventsParts = Readonly<{
  database: Readonly<{
    history: HistoryStore;
    changes: ChangeStore;
    slugs: SlugStore;
    tables: TableStore;
    refresh: RefreshStore;
    airtableCalls: CallStore;
    readClock: () => Promise<number>;
  }>;
  redis: SharedRedis | null;
  media: Readonly<{
    pictures: Readonly<{ toPicture: ToPicture; ready: Promise<unknown> }>;
    onRead: (snapshot: EventsSnapshot) => void;
  }>;
  /** Aborted when the process has been told to stop. */
  shutdown: AbortSignal;
  /** Called in the transaction that records changes. */
  onChanges: OnChanges;
  /** Whether anybody besides open streams is told of changes. */
  hasSubscribers: () => Promise<boolean>;
  airtable: AirtableClientOptions;
  now: () => number;
  log: Log;
}>;

/** Puts the loader together with the history of events, the stream of changes and the table's hook. */
export function createEvents(config: Config, parts: EventsParts): Events {
  const { database, media, shutdown, onChanges, now, log } = parts;
  const { cacheSeconds, hookSecret } = config.events;
  const table = toTableName(config.airtable);
  const calls = createCallCounter({ store: database.airtableCalls, now });
  const events = createEventsLoader({
    source: createSource(config, parts, calls.count),
    timeZone: createTimeZone(config.events.timeZone),
    now,
    cacheSeconds,
    log,
    toPicture: media.pictures.toPicture,
    trackHistory: createHistoryTracker({
      record: (read) => database.history.record(read, { table, onChanges }),
      markRead: database.history.markRead,
      log,
    }),
    trackSlugs: createSlugHistory({ store: database.slugs.update, log }),
    onRead: media.onRead,
  });
  const watcher = createChangeWatcher(database.changes);
  const refresher = createTableRefresher({
    store: database.refresh,
    events,
    changes: database.changes,
    readClock: database.readClock,
    cacheSeconds,
    hasHook: hookSecret !== null,
    hasSubscribers: async () => watcher.waiting > 0 || (await parts.hasSubscribers()),
    log,
  });
  return {
    events,
    respondWithChanges: createChangesResponder({
      events,
      store: database.changes,
      watcher,
      shutdown,
      now,
    }),
    respondToTableHook: createTableHook({ secret: hookSecret, refresher }),
    findCallQuota: async () =>
      toCallQuota({
        used: await calls.findUsed().catch(() => 0),
        rows: events.peek()?.events.length ?? 0,
        cacheSeconds,
        callsMax: config.airtable.callsPerMonth,
      }),
    async closeEvents() {
      refresher.close();
      await calls.close();
    },
  };
}

/** Airtable, guarded and, with Redis, shared by all instances. */
function createSource(config: Config, parts: EventsParts, onCall: () => void): EventsSource {
  const { redis, media, shutdown, database, now, log } = parts;
  const { token, baseId, apiUrl, table } = config.airtable;
  const { cacheSeconds } = config.events;
  const timeZone = createTimeZone(config.events.timeZone);
  if (token === null) return missingCredentials('AIRTABLE_TOKEN');
  if (baseId === null) return missingCredentials('AIRTABLE_BASE_ID');
  // Airtable limits the requests to a base, of all instances together.
  const pause = redis && createSharedPause(redis, `airtable ${JSON.stringify([apiUrl, baseId])}`);
  const options = { onCall, ...parts.airtable, ...(pause !== null && { pause }) };
  const client = createAirtableClient({ apiUrl, token, baseId, table }, options);
  const airtable = guardTable(createAirtableSource(client, timeZone), {
    store: database.tables,
    table: toTableName(config.airtable),
    log,
  });
  // What earlier processes learned of pictures is part of the first snapshot.
  const source: EventsSource = {
    read: async () => (await Promise.all([airtable.read(), media.pictures.ready]))[0],
  };
  if (redis === null) return source;
  return createSharedSource(source, {
    getOrLoad: createSharedCache({ redis, now, signal: shutdown }).getOrLoad,
    name: `events ${JSON.stringify([apiUrl, baseId, table, timeZone.timeZone, config.site.url])}`,
    toPicture: media.pictures.toPicture,
    // A refresh ahead of time must not get a read that is due itself.
    ageMaxMs: cacheSeconds * 1000 * refreshAheadAt,
  });
}
