import { AsyncLocalStorage } from 'node:async_hooks';
import { createTimeZone } from '#lib/events/model/zoned-time.ts';
import { type SiteNotice, toSiteNotice } from '#lib/events/view/site-notice.ts';
import { Health } from '#lib/telemetry/health.ts';
import { LoadMonitor } from '#lib/telemetry/load-monitor.ts';
import { createMembers, createOwnerRule, type Members } from './accounts/members.ts';
import { type AiProxy, createAiProxy } from './ai-proxy/ai-proxy.ts';
import { type Config, loadConfig } from './config/config.ts';
import { createDatabase, type Database } from './database.ts';
import { createEvents, type Events } from './events/create-events.ts';
import type { AirtableClientOptions } from './events/source/airtable/client.ts';
import type { EventsLoader } from './events/source/loader.ts';
import { describeReadFailure } from './events/source/read-status.ts';
import type { MachineReads } from './events/source/stored-read/machine-source.ts';
import { createClientTurns, type TakeTurn } from './http/client-turns.ts';
import type { Log } from './http/log.ts';
import {
  createRepresentationStore,
  type RepresentationStore,
} from './http/representations/representation-store.ts';
import { createLeakedKeys, type LeakedKeys } from './keys/leaked-keys/leaked-keys.ts';
import { createPepperCheck } from './keys/require-pepper.ts';
import { createMedia, type Media } from './site/media/media.ts';
import { createEnqueuer } from './site/notifications/enqueuer.ts';
import { closeMessaging, createMessaging, type Messaging } from './site/notifications/messaging.ts';
import type { PageSource } from './site/pages/page-source.ts';
import { createLedger } from './spend/ledger/ledger.ts';
import { createUpkeep } from './spend/upkeep.ts';
import type { DatabaseObserver } from './storage/connection.ts';
import { createDisk, type Disk } from './storage/disk.ts';
import { channels } from './telemetry/channels.ts';
import { createLog } from './telemetry/log.ts';

/** All parts, put together. */
export type Services = Media &
  Events &
  Messaging &
  Readonly<{
    config: Config;
    /** With the notice, as long as there is one. */
    site: Config['site'] & Readonly<{ notice: SiteNotice | null }>;
    log: Log;
    representations: RepresentationStore;
    /** For what takes long and no cache has: one client after the other. */
    takeTurn: TakeTurn;
    /** What a page under way is rendered from. */
    rendering: AsyncLocalStorage<PageSource>;
    aiProxy: AiProxy;
    /** Null without a provider for signing in. */
    members: Members | null;
    leakedKeys: LeakedKeys;
    database: Database;
    disk: Disk;
    /** What `/health/ready` checks. */
    health: Health;
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
  /** Of a worker; null: this process is the only one of its machine. */
  machineReads?: MachineReads | null;
}>;

const representationBytesMax = 48 * 1024 * 1024;

/** Builds all parts from a config. Clock, log and times can be given: tests do. */
export function createServices(config: Config, effects: Effects = {}): Services {
  const { now = Date.now, log = createLog(config), airtable = {}, machineReads = null } = effects;
  const { dataDir, databaseUrl } = config.storage;
  const media = createMedia({ ...config, dataDir, log, now });
  const shutdown = new AbortController();
  const database = createDatabase({ databaseUrl, dataDir, now, observer: createObserver(log) });
  const ledger = createLedger({ transactions: database.ledger, log, now });
  const { usageDays } = config.storage;
  const upkeep = config.runsTimers ? createUpkeep({ stores: database, usageDays, log }) : null;
  const disk = createDisk(dataDir);
  const load = new LoadMonitor({ log });
  const keysWorkUntil = createOwnerRule(config.members);
  const aiProxy = createAiProxy({
    ...config,
    keysWorkUntil,
    database,
    ledger,
    isOverloaded: () => load.isOverloaded,
    now,
    log,
  });
  const { enqueueChanges, enqueueAlert, hasSubscribers } = createEnqueuer(config, {
    database,
    timeZone: createTimeZone(config.events.timeZone),
    now,
  });
  const reading = createEvents(config, {
    database,
    media,
    machineReads,
    shutdown: shutdown.signal,
    onChanges: enqueueChanges,
    hasSubscribers,
    airtable,
    now,
    log,
  });
  const { events } = reading;
  const messaging = createMessaging(config, {
    database,
    events,
    upstreams: aiProxy.describeUpstreams,
    readCredits: aiProxy.readCredits,
    enqueueAlert,
    now,
    log,
  });
  const toSite = createSite(config, now);
  const health = createHealth(config, { events, database, disk, aiProxy, now, log });
  return {
    config,
    get site() {
      return toSite();
    },
    log,
    ...reading,
    representations: createRepresentationStore(representationBytesMax),
    takeTurn: createClientTurns(config.trustProxy),
    rendering: new AsyncLocalStorage(),
    aiProxy,
    members: createMembers(config, { database, now, log }),
    leakedKeys: createLeakedKeys({ keys: database.keys, settings: config, log }),
    ...messaging,
    models: aiProxy.models,
    database,
    disk,
    health,
    shutdown,
    load,
    ...media,
    async close() {
      load.close();
      health.close();
      upkeep?.close();
      await Promise.all([aiProxy.close(), reading.closeEvents(), closeMessaging(messaging)]);
      await ledger.close();
      await database.close();
    },
  };
}

/** Two objects, since pages of text are kept for each. */
function createSite({ site, notice, events }: Config, now: () => number) {
  const silent = { ...site, notice: null };
  if (notice === null) return () => silent;
  const telling = { ...site, notice: toSiteNotice(notice, { ...events, now }) };
  return () => (telling.notice.leftMs() > 0 ? telling : silent);
}

function createObserver(log: Log): DatabaseObserver {
  return {
    onWait: channels.queryWaited.publish,
    onSlowQuery(query) {
      channels.slowQuery.publish(query);
      log.warn({ query: query.name, durationMs: Math.round(query.durationMs) }, 'slow query');
    },
    onLogLost({ error, isRecoverable, changes }) {
      const fields = { code: error.code, problem: error.message, changes };
      if (isRecoverable) {
        log.error(fields, 'the database is closed and opened again: nothing is lost');
        return;
      }
      log.error(fields, 'the process ends: so many changes of the ledger are lost');
      // To close the database, as any other end does, would write its log over the other one.
      process.kill(process.pid, 'SIGKILL');
    },
  };
}

type CheckedParts = Readonly<{
  events: EventsLoader;
  database: Database;
  disk: Disk;
  aiProxy: AiProxy;
  now: () => number;
  log: Log;
}>;

/** What all instances share is not required: they would all be taken out at once. */
function createHealth(config: Config, parts: CheckedParts): Health {
  const { events, database, disk, aiProxy, now, log } = parts;
  const isDatabaseShared = config.storage.databaseUrl !== null;
  const isProxyOn = aiProxy.describeUpstreams().length > 0;
  return new Health(
    [
      {
        name: 'events',
        isRequired: true,
        // It may read the table.
        isCheap: false,
        run: events.current,
        findProblem: () => describeReadFailure(events.status()),
      },
      { name: 'database', isRequired: !isDatabaseShared, isCheap: true, run: database.ping },
      // A request whose usage cannot be recorded is not made: with PostgreSQL that needs no disk here.
      {
        name: 'disk',
        isRequired: isProxyOn && !isDatabaseShared,
        isCheap: true,
        run: disk.requireWritable,
        findProblem: disk.findProblem,
      },
      {
        name: 'keys',
        isRequired: false,
        isCheap: true,
        run: createPepperCheck({ keys: database.keys, settings: config, now }),
      },
    ],
    { log },
  );
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
