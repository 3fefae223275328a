import type { Log } from '#lib/http/log.ts';
import type { SharedRedis } from '#lib/shared-state/redis.ts';
import { createDatabase } from '#lib/storage/database.ts';
import { createKeyAuthenticator } from './keys/key-authenticator.ts';
import { createKeyHasher } from './keys/key-text.ts';
import { loadPepper } from './keys/pepper.ts';
import { createLimits } from './limits/create-limits.ts';
import { createUsageMeter } from './metering/usage-meter.ts';
import { createModelLists, type ModelLists } from './models/model-lists.ts';
import { createEmbeddingsEndpoint } from './pipeline/embeddings-endpoint.ts';
import { createChatEndpoint, createResponsesEndpoint } from './pipeline/endpoints.ts';
import { createPipeline } from './pipeline/pipeline.ts';
import { toMisconfiguredError } from './upstreams/failure.ts';
import type { Protocol } from './upstreams/protocols.ts';
import type { Target } from './upstreams/target.ts';
import { createUpstream, type Upstream } from './upstreams/upstream.ts';

export type AiProxyOptions = Readonly<{
  storage: Readonly<{ dataDir: string; databaseUrl: string | null }>;
  keys: Readonly<{ pepper: string | null; requestsPerMinute: number; tokensPerDay: number }>;
  ai: Readonly<{
    upstreamUrl: string | null;
    upstreamKey: string | null;
    responses: 'native' | 'chat';
    models: readonly string[] | null;
  }>;
  proxy: Readonly<{ bodyBytesMax: number; timeoutSeconds: number }>;
  /** For limits shared between instances; null: each instance applies its own. */
  redis: SharedRedis | null;
  /** Unix time in ms. */
  now: () => number;
  log: Log;
}>;

type Generate = (request: Request) => Promise<Response>;

/** The AI proxy with all its parts. */
export type AiProxy = Readonly<{
  completeChat: Generate;
  createResponse: Generate;
  createEmbeddings: Generate;
  models: ModelLists;
  /** Migrates the database; otherwise the first request does so. */
  open: () => Promise<void>;
  /** Ends running requests and writes the remaining usage. */
  close: () => Promise<void>;
}>;

type Running = Readonly<{
  completeChat: Generate;
  createResponse: Generate;
  createEmbeddings: Generate;
  open: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** Everything is opened on first use: a site without an AI upstream needs no database. */
export function createAiProxy(options: AiProxyOptions): AiProxy {
  const { ai, proxy, now, log } = options;
  const upstream = createUpstream({
    url: ai.upstreamUrl,
    key: ai.upstreamKey,
    timeouts: { firstByteMs: proxy.timeoutSeconds * 1000 },
    ...{ now, log },
  });
  const models = createModelLists({ upstream, allowed: ai.models, now });
  const missing =
    ai.upstreamUrl === null
      ? 'AI_UPSTREAM_URL'
      : ai.upstreamKey === null
        ? 'AI_UPSTREAM_KEY'
        : null;
  let running: Running | null = null;

  function run(): Running {
    if (missing !== null) throw toMisconfiguredError(missing);
    running ??= start(options, upstream, models);
    return running;
  }

  return {
    models,
    completeChat: async (request) => run().completeChat(request),
    createResponse: async (request) => run().createResponse(request),
    createEmbeddings: async (request) => run().createEmbeddings(request),
    async open() {
      if (missing === null) await run().open();
    },
    async close() {
      await upstream.close();
      await running?.close();
    },
  };
}

function start(options: AiProxyOptions, upstream: Upstream, models: ModelLists): Running {
  const { storage, keys, ai, proxy, redis, now, log } = options;
  const database = createDatabase(storage);
  const pepper = loadPepper({ keyPepper: keys.pepper, dataDir: storage.dataDir });
  const meter = createUsageMeter({ usage: database.usage, now, log });
  const limits = createLimits({ redis, loadTokensUsed: database.usage.tokensOn, now, log });
  const authenticator = createKeyAuthenticator({
    keys: database.keys,
    defaults: keys,
    toHash: createKeyHasher(pepper),
    ...{ now, log },
  });
  const { bodyBytesMax } = proxy;
  const protocols = new Set<Protocol>(
    ai.responses === 'native' ? ['chat', 'responses', 'embeddings'] : ['chat', 'embeddings'],
  );
  const selectTargets = (model: string): readonly Target[] => [{ upstream, model, protocols }];
  const respond = createPipeline({
    ...{ authenticator, limits, models, selectTargets, meter, now, bodyBytesMax, log },
  });
  const chat = createChatEndpoint(now);
  const responses = createResponsesEndpoint(now);
  const embeddings = createEmbeddingsEndpoint();
  return {
    completeChat: (request) => respond(request, chat),
    createResponse: (request) => respond(request, responses),
    createEmbeddings: (request) => respond(request, embeddings),
    open: database.open,
    async close() {
      await meter.close();
      await limits.close();
      await database.close();
    },
  };
}
