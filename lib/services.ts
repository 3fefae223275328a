import { pino } from 'pino';
import { type AiProxy, createAiProxy } from './ai-proxy/ai-proxy.ts';
import { createAirtableClient } from './airtable/client.ts';
import { missingCredentials } from './airtable/missing-credentials.ts';
import { createAirtableSource } from './airtable/source.ts';
import { type Config, loadConfig } from './config/config.ts';
import { createTimeZone } from './events/model/time-zone.ts';
import { createEventsLoader, type EventsLoader, refreshAheadAt } from './events/store/loader.ts';
import { createSharedSource } from './events/store/shared-source.ts';
import type { EventsSource } from './events/store/source.ts';
import type { Log } from './http/log.ts';
import {
  createRepresentationStore,
  type RepresentationStore,
} from './http/representation-store.ts';
import { createMedia, type Media } from './media/media.ts';
import { createSharedRedis, type SharedRedis } from './shared-state/redis.ts';
import { createSharedCache } from './shared-state/shared-cache.ts';

/** The parts of the house, put together. The two ways through it start here. */
export type Services = Media &
  Readonly<{
    config: Config;
    site: Config['site'];
    log: Log;
    events: EventsLoader;
    representations: RepresentationStore;
    aiProxy: AiProxy;
    /** Ends what is under way, once nobody asks any more. */
    close: () => Promise<void>;
  }>;

export type Effects = Readonly<{ now?: () => number; log?: Log }>;

const representationBytesMax = 48 * 1024 * 1024;

/** Builds all parts from a config. Clock and log can be given: tests do. */
export function createServices(config: Config, effects: Effects = {}): Services {
  const { now = Date.now, log = pino({ base: null }) } = effects;
  const timeZone = createTimeZone(config.events.timeZone);
  const { cacheSeconds } = config.events;
  const { dataDir, redisUrl } = config.storage;
  const connect = () => (redisUrl === null ? null : createSharedRedis({ url: redisUrl, log }));
  // A connection each: limits do not wait until a large table has come through.
  const [tableRedis, limitsRedis] = [connect(), connect()];
  const media = createMedia({ ...config, dataDir, log, now });
  const table = createEventsSource(config, { now, dayAt: timeZone.dayAt, redis: tableRedis });
  // The first events say of pictures what earlier processes learned of them.
  const source: EventsSource = {
    read: async () => (await Promise.all([table.read(), media.pictures.ready]))[0],
  };
  const pictureHooks = { toPicture: media.pictures.toPicture, onRead: media.warmUp.offer };
  const aiProxy = createAiProxy({ ...config, redis: limitsRedis, now, log });
  return {
    config,
    site: config.site,
    log,
    events: createEventsLoader({ source, timeZone, now, cacheSeconds, log, ...pictureHooks }),
    representations: createRepresentationStore(representationBytesMax),
    aiProxy,
    ...media,
    async close() {
      await aiProxy.close();
      await Promise.all([tableRedis?.close(), limitsRedis?.close()]);
    },
  };
}

type TableEffects = Readonly<{
  now: () => number;
  dayAt: (timeMs: number) => string;
  redis: SharedRedis | null;
}>;

function createEventsSource(config: Config, { now, dayAt, redis }: TableEffects): EventsSource {
  const { token, baseId, apiUrl, table } = config.airtable;
  const { timeZone, cacheSeconds } = config.events;
  if (token === null) return missingCredentials('AIRTABLE_TOKEN');
  if (baseId === null) return missingCredentials('AIRTABLE_BASE_ID');
  const client = createAirtableClient({ apiUrl, token, baseId, table }, { now });
  const source = createAirtableSource(client, dayAt);
  if (redis === null) return source;
  return createSharedSource(source, {
    getOrLoad: createSharedCache({ redis, now }).getOrLoad,
    name: `events ${JSON.stringify([apiUrl, baseId, table, timeZone])}`,
    // Whoever renews ahead of need gets nothing that is due itself.
    ageMaxMs: cacheSeconds * 1000 * refreshAheadAt,
  });
}

// Node (for the lane) and Next's bundle (for pages) each load this module: what they share hangs here.
const registryKey = Symbol.for('marquee.services');
const registry: typeof globalThis & { [registryKey]?: Services } = globalThis;

/** The services of this process, made from the environment when they are first asked for. */
export function getServices(): Services {
  registry[registryKey] ??= createServices(loadConfig(process.env));
  return registry[registryKey];
}

/** Puts services in place before anyone asks for them; returns them. */
export function setServices(services: Services): Services {
  registry[registryKey] = services;
  return services;
}
