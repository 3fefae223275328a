import { AsyncLocalStorage } from 'node:async_hooks';
import { pino } from 'pino';
import { missingCredentials } from '#lib/events/source/airtable/source.ts';
import { createSlugHistory } from '#lib/events/source/former-slugs.ts';
import { createSharedPause } from '#lib/redis/redis.ts';
import { type Check, createLoadMonitor, type LoadMonitor } from '#lib/telemetry/health.ts';
import { createMembers, createOwnerRule, type Members } from './accounts/members.ts';
import { type AiProxy, createAiProxy } from './ai-proxy/ai-proxy.ts';
import { type Config, loadConfig } from './config/config.ts';
import { createDatabase, type Database } from './database.ts';
import { createChangeWatcher } from './events/changes/change-watcher.ts';
import { createHistoryTracker } from './events/changes/history.ts';
import {
  type ChangesResponder,
  createChangesResponder,
} from './events/changes/respond-with-changes.ts';
import { createTimeZone, type TimeZone } from './events/model/time-zone.ts';
import {
  type CallQuota,
  createCallCounter,
  toCallQuota,
} from './events/source/airtable/call-quota.ts';
import {
  type AirtableClientOptions,
  createAirtableClient,
} from './events/source/airtable/client.ts';
import { createAirtableSource } from './events/source/airtable/source.ts';
import { guardTable, toTableName } from './events/source/airtable/table-guard.ts';
import {
  createEventsLoader,
  describeReadFailure,
  type EventsLoader,
  refreshAheadAt,
} from './events/source/loader.ts';
import { createTableHook, type RespondToTableHook } from './events/source/refresh/table-hook.ts';
import { createTableRefresher } from './events/source/refresh/table-refresher.ts';
import { createSharedSource } from './events/source/shared-source.ts';
import type { EventsSource } from './events/source/source.ts';
import { createFairQueue } from './http/fair-queue.ts';
import type { Log } from './http/log.ts';
import {
  createRepresentationStore,
  type RepresentationStore,
} from './http/representations/representation-store.ts';
import { createLeakedKeys, type LeakedKeys } from './keys/leaked-keys/leaked-keys.ts';
import { createSharedRedis, type SharedRedis } from './redis/redis.ts';
import { createSharedCache } from './redis/shared-cache.ts';
import { createMedia, type Media } from './site/media/media.ts';
import {
  closeMessaging,
  createMessaging,
  enqueueChanges,
  hasSubscribers,
  type Messaging,
} from './site/notifications/messaging.ts';
import type { PageSource } from './site/pages/page-source.ts';
import { createUpkeep } from './spend/records/upkeep.ts';
import { createDisk, type Disk } from './storage/disk.ts';
import { channels } from './telemetry/channels.ts';
import { createGroupedLog } from './telemetry/grouped-log.ts';

/** All parts, put together. */
export type Services = Media &
  Messaging &
  Readonly<{
    config: Config;
    site: Config['site'];
    log: Log;
    events: EventsLoader;
    representations: RepresentationStore;
    findCallQuota: () => Promise<CallQuota>;
    respondWithChanges: ChangesResponder;
    respondToTableHook: RespondToTableHook;
    /** What a page under way is rendered from. */
    rendering: AsyncLocalStorage<PageSource>;
    aiProxy: AiProxy;
    /** Null without a provider for signing in. */
    members: Members | null;
    leakedKeys: LeakedKeys;
    database: Database;
    disk: Disk;
    /** What `/health/ready` checks. */
    checks: readonly Check[];
    load: LoadMonitor;
    /** Aborted when the process has been told to stop. */
    shutdown: AbortController;
    models: AiProxy['models'];
    /** Finishes what is under way, after the last request. */
    close: () => Promise<void>;
  }>;

export type Effects = Readonly<{
  now?: () => number;
  log?: Log;
  /** For other times than those of the client itself. */
  airtable?: AirtableClientOptions;
}>;

const representationBytesMax = 48 * 1024 * 1024;
/** Further ones get a 503. */
const waitingPagesMax = 64;

/** Builds all parts from a config. Clock, log and times can be given: tests do. */
export function createServices(config: Config, effects: Effects = {}): Services {
  const { now = Date.now, log = createLog(config.logLevel), airtable = {} } = effects;
  const timeZone = createTimeZone(config.events.timeZone);
  const { cacheSeconds } = config.events;
  const { dataDir, databaseUrl, redisUrl } = config.storage;
  const connect = () => (redisUrl === null ? null : createSharedRedis({ url: redisUrl, log }));
  // A connection each, so that limits do not wait for a large table.
  const [tableRedis, limitsRedis] = [connect(), connect()];
  const media = createMedia({ ...config, dataDir, log, now });
  const queue = createFairQueue({
    concurrency: 2,
    waitingMax: waitingPagesMax,
    trustedHops: config.trustProxy,
    onChange: (waiting) => channels.renderQueue.publish({ queue: 'pages', waiting }),
  });
  const shutdown = new AbortController();
  const database = createDatabase({ databaseUrl, dataDir, now });
  const airtableCalls = createCallCounter({ store: database.airtableCalls, now });
  const source = createEventsSource(config, {
    now,
    tables: database.tables,
    log,
    timeZone,
    redis: tableRedis,
    signal: shutdown.signal,
    pictures: media.pictures,
    airtable: { onCall: airtableCalls.count, ...airtable },
  });
  const pictureHooks = { toPicture: media.pictures.toPicture, onRead: media.onRead };
  const table = toTableName(config.airtable);
  const trackHistory = createHistoryTracker({
    record: (read) =>
      database.history.record(read, {
        table,
        onChanges: (db, recorded) => enqueueChanges(messaging, db, recorded),
      }),
    markRead: database.history.markRead,
    log,
  });
  const trackSlugs = createSlugHistory({ store: database.slugs.update, log });
  const watcher = createChangeWatcher(database.changes);
  const upkeep = createUpkeep({ stores: database, usageDays: config.storage.usageDays, log });
  const disk = createDisk(dataDir);
  const load = createLoadMonitor({ log });
  const { isOverloaded } = load;
  const keysWorkUntil = createOwnerRule(config.members);
  const aiProxy = createAiProxy({
    ...config,
    keysWorkUntil,
    database,
    redis: limitsRedis,
    isOverloaded,
    now,
    log,
  });
  const events = createEventsLoader({
    source,
    timeZone,
    now,
    cacheSeconds,
    log,
    trackHistory,
    trackSlugs,
    ...pictureHooks,
  });
  const messaging = createMessaging(config, {
    database,
    events,
    upstreams: aiProxy.describeUpstreams,
    dayAt: timeZone.dayAt,
    now,
    log,
  });
  const refresher = createTableRefresher({
    store: database.refresh,
    events,
    changes: database.changes,
    readClock: database.readClock,
    cacheSeconds,
    hasHook: config.events.hookSecret !== null,
    hasSubscribers: async () => watcher.waiting > 0 || (await hasSubscribers(messaging)),
    log,
  });
  return {
    config,
    site: config.site,
    log,
    events,
    representations: createRepresentationStore(representationBytesMax, queue),
    respondWithChanges: createChangesResponder({
      events,
      store: database.changes,
      watcher,
      shutdown: shutdown.signal,
      now,
    }),
    respondToTableHook: createTableHook({ secret: config.events.hookSecret, refresher }),
    rendering: new AsyncLocalStorage(),
    aiProxy,
    findCallQuota: async () =>
      toCallQuota({
        used: await airtableCalls.findUsed().catch(() => 0),
        rows: events.peek()?.events.length ?? 0,
        cacheSeconds,
        callsMax: config.airtable.callsPerMonth,
      }),
    members: createMembers(config, { database, now, log }),
    leakedKeys: createLeakedKeys({ keys: database.keys, settings: config, now, log }),
    ...messaging,
    models: aiProxy.models,
    database,
    disk,
    checks: createChecks({
      events,
      database,
      disk,
      redis: limitsRedis,
      isDatabaseShared: databaseUrl !== null,
      isProxyOn: aiProxy.describeUpstreams().length > 0,
    }),
    shutdown,
    load,
    ...media,
    async close() {
      load.close();
      upkeep.close();
      refresher.close();
      await Promise.all([aiProxy.close(), airtableCalls.close(), closeMessaging(messaging)]);
      const connections = [database, tableRedis, limitsRedis];
      await Promise.all(connections.map((connection) => connection?.close()));
    },
  };
}

function createLog(level: Config['logLevel']): Log {
  return createGroupedLog(pino({ base: null, level }));
}

type CheckedParts = Readonly<{
  events: EventsLoader;
  database: Database;
  disk: Disk;
  redis: SharedRedis | null;
  isDatabaseShared: boolean;
  isProxyOn: boolean;
}>;

/** What all instances share is not required: they would all be taken out at once. */
function createChecks(parts: CheckedParts): Check[] {
  const { events, database, disk, redis, isDatabaseShared, isProxyOn } = parts;
  const checks: Check[] = [
    {
      name: 'events',
      isRequired: true,
      run: events.current,
      findProblem: () => describeReadFailure(events.status()),
    },
    { name: 'database', isRequired: !isDatabaseShared, run: database.ping },
    // A request whose usage cannot be recorded is not made.
    {
      name: 'disk',
      isRequired: isProxyOn,
      run: disk.requireWritable,
      findProblem: disk.findProblem,
    },
  ];
  if (redis !== null) checks.push({ name: 'redis', isRequired: false, run: redis.ping });
  return checks;
}

type TableEffects = Readonly<{
  now: () => number;
  tables: Database['tables'];
  log: Log;
  timeZone: TimeZone;
  redis: SharedRedis | null;
  signal: AbortSignal;
  pictures: Media['pictures'];
  airtable: AirtableClientOptions;
}>;

function createEventsSource(config: Config, effects: TableEffects): EventsSource {
  const { now, timeZone, redis, signal, pictures, tables, log } = effects;
  const { token, baseId, apiUrl, table } = config.airtable;
  const { cacheSeconds } = config.events;
  if (token === null) return missingCredentials('AIRTABLE_TOKEN');
  if (baseId === null) return missingCredentials('AIRTABLE_BASE_ID');
  // Airtable limits the requests to a base, of all instances together.
  const pause = redis && createSharedPause(redis, `airtable ${JSON.stringify([apiUrl, baseId])}`);
  const options = { ...effects.airtable, ...(pause !== null && { pause }) };
  const client = createAirtableClient({ apiUrl, token, baseId, table }, options);
  const airtable = guardTable(createAirtableSource(client, timeZone), {
    store: tables,
    table: toTableName(config.airtable),
    log,
  });
  // What earlier processes learned of pictures is part of the first snapshot.
  const source: EventsSource = {
    read: async () => (await Promise.all([airtable.read(), pictures.ready]))[0],
  };
  if (redis === null) return source;
  return createSharedSource(source, {
    getOrLoad: createSharedCache({ redis, now, signal }).getOrLoad,
    name: `events ${JSON.stringify([apiUrl, baseId, table, timeZone.timeZone, config.site.url])}`,
    toPicture: pictures.toPicture,
    // A refresh ahead of time must not get a read that is due itself.
    ageMaxMs: cacheSeconds * 1000 * refreshAheadAt,
  });
}

// Node (for route handlers) and Next's bundle (for pages) each load this module; this is what they share.
const registryKey = Symbol.for('marquee.services');
const registry: typeof globalThis & { [registryKey]?: Services } = globalThis;

/** The services of this process, created from the environment at first use. */
export function getServices(): Services {
  registry[registryKey] ??= createServices(loadConfig(process.env));
  return registry[registryKey];
}

/** Sets the services before first use; returns them. */
export function setServices(services: Services): Services {
  registry[registryKey] = services;
  return services;
}
