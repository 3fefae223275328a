import type { Config } from '#lib/config/config.ts';
import type { Log } from '#lib/http/log.ts';
import { waitForQuery } from '#lib/storage/wait-for-database.ts';
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
import {
  type AirtableClientOptions,
  createAirtableClient,
  type Pause,
} from './source/airtable/client.ts';
import { parseColumnNames } from './source/airtable/column-names.ts';
import { createAirtableSource, missingCredentials } from './source/airtable/source.ts';
import {
  guardTable,
  type TableStore,
  toReadTableName,
  toTableName,
} from './source/airtable/table-guard.ts';
import { type AnnouncementStore, createAnnouncementDating } from './source/announcements.ts';
import { createEventsLoader, type EventsLoader } from './source/loader.ts';
import { toReading } from './source/reading.ts';
import { createSlugLookup, createSlugSource } from './source/slugs/slug-source.ts';
import type { SlugStore } from './source/slugs/slug-store.ts';
import type { EventsSnapshot } from './source/snapshot.ts';
import type { TableSource } from './source/source.ts';
import type { MachineReads } from './source/stored-read/machine-source.ts';
import { toReadName } from './source/stored-read/read-lines.ts';
import type { ReadStore } from './source/stored-read/read-store.ts';
import { createStoredSource } from './source/stored-read/stored-source.ts';
import { createTableWatcher } from './source/stored-read/table-watcher.ts';
import { createTableHook, type RespondToTableHook } from './source/table-hook.ts';

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
    announcements: AnnouncementStore;
    tables: TableStore;
    /** By the name of a read: base, table, and how they are read. */
    tableReads: (name: string) => ReadStore;
    airtableCalls: CallStore;
  }>;
  media: Readonly<{
    pictures: Readonly<{ toPicture: ToPicture; ready: Promise<unknown> }>;
    onRead: (snapshot: EventsSnapshot) => void;
  }>;
  /** Null: this process is the only one of its machine. */
  machineReads: MachineReads | null;
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
  const { database, media, machineReads, shutdown, onChanges, now, log } = parts;
  const { cacheSeconds, hookSecret } = config.events;
  const table = toTableName(config.airtable);
  const recording = { table, reading: toReading(config), onChanges, log };
  const calls = createCallCounter({ store: database.airtableCalls, now });
  const store = database.tableReads(toReadName(config));
  let rowsRead = 0;
  const onRows = (count: number) => {
    rowsRead = count;
  };
  const airtable = createAirtable(config, parts, { store, onCall: calls.count, onRows });
  const source = createStoredSource(airtable, {
    store,
    now,
    signal: shutdown,
    log,
    toPicture: media.pictures.toPicture,
    machineReads,
  });
  const events = createEventsLoader({
    source,
    timeZone: createTimeZone(config.events.timeZone),
    now,
    cacheSeconds,
    log,
    countRowsRead: () => rowsRead,
    trackHistory: createHistoryTracker({
      record: (read) => database.history.record(read, recording),
      recordStatuses: (read, since) =>
        database.history.recordStatuses(read, { ...recording, since }),
      markRead: database.history.markRead,
      log,
    }),
    dateAnnouncements: createAnnouncementDating({ store: database.announcements, log }),
    findSlugs: createSlugSource({ assign: database.slugs.assign, log }),
    findStoredSlug: createSlugLookup(database.slugs.find),
    onRead: media.onRead,
  });
  const watcher = createChangeWatcher(database.changes);
  const tableWatcher = createTableWatcher({
    store,
    source,
    events,
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
      trustedHops: config.trustProxy,
      now,
    }),
    respondToTableHook: createTableHook({
      secret: hookSecret,
      markCalled: tableWatcher.markCalled,
    }),
    findCallQuota: async () =>
      toCallQuota({
        used: await calls.findUsed().catch(() => 0),
        rows: events.peek()?.events.length ?? 0,
        cacheSeconds,
        callsMax: config.airtable.callsPerMonth,
      }),
    async closeEvents() {
      tableWatcher.close();
      await Promise.all([source.close(), calls.close()]);
    },
  };
}

type AirtableParts = Readonly<{
  store: ReadStore;
  onCall: () => void;
  onRows: (count: number) => void;
}>;

/** Airtable, guarded. */
function createAirtable(
  config: Config,
  { media, database, log, airtable }: EventsParts,
  { store, onCall, onRows }: AirtableParts,
): TableSource {
  const { token, baseId, apiUrl, table, view } = config.airtable;
  if (token === null) return missingCredentials('AIRTABLE_TOKEN');
  if (baseId === null) return missingCredentials('AIRTABLE_BASE_ID');
  const client = createAirtableClient(
    { apiUrl, token, baseId, table, view },
    // Airtable limits the requests to a base, of all processes together.
    { onCall, onRows, pause: createSharedPause(store), ...airtable },
  );
  const columnNames = parseColumnNames(config.airtable.columns);
  const source = createAirtableSource(client, config.events.timeZone, columnNames);
  const guarded = guardTable(source, {
    store: database.tables,
    table: toReadTableName(config),
    columnNames,
    log,
  });
  return {
    // What earlier processes learned of pictures is part of the first snapshot.
    read: async () => (await Promise.all([guarded.read(), media.pictures.ready]))[0],
  };
}

/** The pause after a 429, for all processes. While the database is away, each knows only its own. */
function createSharedPause(store: ReadStore): Pause {
  return {
    async leftMs() {
      try {
        const { blockedUntilMs, nowMs } = await waitForQuery(store.find());
        return Math.max(blockedUntilMs - nowMs, 0);
      } catch {
        return 0;
      }
    },
    start: (durationMs) => waitForQuery(store.block(durationMs)).catch(() => {}),
  };
}
