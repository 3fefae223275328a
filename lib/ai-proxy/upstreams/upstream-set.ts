import { isDeepStrictEqual } from 'node:util';
import type { WorkerPlace } from '#lib/config/config.ts';
import { optionalFields } from '#lib/config/quirk-names.ts';
import {
  type ModelSettings,
  type UpstreamSettings,
  type UpstreamsSettings,
  upstreamSchema,
} from '#lib/config/upstreams-schema.ts';
import type { Log } from '#lib/http/log.ts';
import {
  type CachedValue,
  createUpstreamLists,
  type UpstreamModels,
} from '../models/load-models.ts';
import type { Protocol, Protocols } from '../protocols/protocol.ts';
import { toMark } from '../protocols/reasoning-mark.ts';
import type { Accepted } from '../quirks/quirk.ts';
import { toUpstreamConnection } from './connection.ts';
import { type Credit, type CreditReader, createCreditReader } from './credit.ts';
import { createSharedLimits, divideLimits, type SharedSlots } from './limits/shared-limits.ts';
import { createUpstream, type Upstream, type UpstreamHealth } from './upstream.ts';

/** A connected upstream with the models that it lists. */
export type NamedUpstream = Readonly<{
  settings: UpstreamSettings;
  upstream: Upstream;
  protocols: Protocols;
  lists: CachedValue<UpstreamModels>;
  /** The longest wait for the first part of a reply, ms. */
  firstByteMs: number;
  /** What it takes of what not every chat server does; null: unknown. */
  accepts: Accepted;
  /** Of its encrypted reasoning. */
  mark: string;
  /** Null: nothing is known of where it tells its credit. */
  credit: CreditReader | null;
}>;

type UpstreamSetOptions = Readonly<{
  settings: UpstreamsSettings;
  /** Default for upstreams without their own. */
  firstByteMs: number;
  /** Limits are divided among workers. */
  worker: WorkerPlace;
  sharedSlots: SharedSlots;
  now: () => number;
  log: Log;
}>;

export type UpstreamSet = Readonly<{
  upstreams: () => readonly NamedUpstream[];
  /** The models that the operator defines. */
  models: () => readonly ModelSettings[];
  /** Applies new settings: unchanged upstreams stay connected, removed ones finish their calls. */
  replace: (settings: UpstreamsSettings) => void;
  /** Ends all calls. */
  close: () => Promise<void>;
}>;

/** The upstreams of this process. Their settings may change while requests run. */
export function createUpstreamSet(options: UpstreamSetOptions): UpstreamSet {
  const removed = new Set<Upstream>();
  let models = options.settings.models;
  let upstreams = options.settings.upstreams.map((upstream) => connect(upstream, options));

  /** Its running calls finish. */
  function remove({ upstream }: NamedUpstream): void {
    removed.add(upstream);
    void upstream.drain().finally(() => removed.delete(upstream));
  }

  return {
    upstreams: () => upstreams,
    models: () => models,
    replace(settings) {
      const before = upstreams;
      upstreams = settings.upstreams.map(
        (upstream) =>
          before.find((known) => isDeepStrictEqual(known.settings, upstream)) ??
          connect(upstream, options),
      );
      models = settings.models;
      for (const known of before) if (!upstreams.includes(known)) remove(known);
    },
    async close() {
      const all = [...upstreams.map(({ upstream }) => upstream), ...removed];
      await Promise.all(all.map((upstream) => upstream.close()));
    },
  };
}

function connect(settings: UpstreamSettings, options: UpstreamSetOptions): NamedUpstream {
  const { worker, sharedSlots, now, log } = options;
  const { concurrentRequests, requestsPerMinute } = divideLimits(settings, worker);
  const admit = createSharedLimits(settings.name, settings, worker, sharedSlots);
  const connection = toUpstreamConnection(settings, options.firstByteMs);
  const upstream = createUpstream({
    ...connection,
    now,
    log,
    ...(concurrentRequests !== undefined && { callsMax: concurrentRequests }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(admit !== undefined && { admit }),
  });
  const protocols = new Set(settings.protocols);
  const lists = createUpstreamLists(upstream, now);
  const { firstByteMs } = connection.timeouts;
  const accepts = settings.accepts ?? findAccepted(settings.url);
  return {
    settings,
    upstream,
    protocols,
    lists,
    firstByteMs,
    accepts,
    mark: toMark(settings.name),
    credit: createCreditReader(settings, now),
  };
}

/** OpenAI’s own API has no `cache_control`, and takes `metadata` only with what it stores. */
function findAccepted(url: string): Accepted {
  const isOpenAi = /(?:^|\.)api\.openai\.com$/.test(new URL(url).hostname);
  const isTaken = (field: string) => field !== 'cache_control' && field !== 'metadata';
  return isOpenAi ? optionalFields.filter(isTaken) : null;
}

/** An upstream as an operator sees it: neither its URL nor its key. */
export type UpstreamDescription = UpstreamHealth &
  Readonly<{
    name: string;
    protocols: readonly string[];
    /** Null before its list of models was read. */
    models: readonly string[] | null;
    /** When that was, Unix ms. */
    listedAtMs: number | null;
    /** What the operator says of fields, by model. */
    fields: UpstreamSettings['fields'];
    /** Null before it was read, or where nothing is known of it. */
    credit: Credit | null;
  }>;

export function describeUpstream(named: NamedUpstream): UpstreamDescription {
  const { settings, upstream, protocols, lists } = named;
  const listed = lists.peek();
  return {
    ...upstream.health(),
    name: settings.name,
    protocols: [...protocols],
    models: listed === null ? null : [...listed.value.byId.keys()],
    listedAtMs: listed?.loadedAtMs ?? null,
    fields: settings.fields,
    credit: named.credit?.peek() ?? null,
  };
}

/** The settings of one upstream without a file. */
export type SingleUpstream = Readonly<{
  upstreamUrl: string | null;
  upstreamKey: string | null;
  responses: 'native' | 'chat';
  messages: 'native' | 'chat';
}>;

/** The one upstream of the single settings; the name of the missing setting if one is. */
export function toSingleUpstream(
  single: SingleUpstream,
): UpstreamsSettings | 'AI_UPSTREAM_URL' | 'AI_UPSTREAM_KEY' {
  const { upstreamUrl: url, upstreamKey: key, responses, messages } = single;
  if (url === null) return 'AI_UPSTREAM_URL';
  if (key === null) return 'AI_UPSTREAM_KEY';
  const protocols: Protocol[] = ['chat', 'embeddings'];
  if (responses === 'native') protocols.push('responses');
  if (messages === 'native') protocols.push('messages');
  const upstream = upstreamSchema.parse({ name: 'default', url, protocols });
  return { upstreams: [{ ...upstream, key }], models: [] };
}
