import type { Log } from '#lib/http/log.ts';
import type { KeyDefaults } from '#lib/keys/api-key.ts';
import {
  createKeyAuthenticator,
  type MemberKey,
  type OwnerRule,
} from '#lib/keys/key-authenticator.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { createKeyView } from '#lib/keys/key-view.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import type { StoredOwner } from '#lib/keys/store/key-record.ts';
import type { KeyStore } from '#lib/keys/store/key-store.ts';
import type { SharedRedis } from '#lib/redis/redis.ts';
import { createLimits } from '#lib/spend/limits/create-limits.ts';
import type { AccountPeriod, Amounts } from '#lib/spend/limits/limits.ts';
import { createUsageRecorder } from '#lib/spend/records/usage-recorder.ts';
import type { BalanceStore } from '#lib/spend/store/balance-store.ts';
import type { RejectionStore } from '#lib/spend/store/rejection-store.ts';
import type { UsageStore } from '#lib/spend/store/usage-store.ts';
import { createPromptFactors } from '#lib/spend/usage/prompt-factors.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { createModelLists, type ModelLists } from './models/model-lists.ts';
import { createBackgroundCalls } from './pipeline/background-calls.ts';
import {
  createChatEndpoint,
  createEmbeddingsEndpoint,
  createResponsesEndpoint,
} from './pipeline/endpoints/endpoints.ts';
import {
  createCountTokensEndpoint,
  createMessagesEndpoint,
} from './pipeline/endpoints/messages-endpoint.ts';
import {
  compactEndpoint,
  inputTokensEndpoint,
  withMissingEndpoint,
} from './pipeline/endpoints/responses-extras.ts';
import { createLearnedFields } from './pipeline/learned-fields.ts';
import { createPipeline } from './pipeline/pipeline.ts';
import { createReplyBounds } from './pipeline/plan-request.ts';
import { toMisconfiguredError } from './upstreams/errors/failure.ts';
import {
  createTargetSelector,
  createUpstreamSet,
  describeUpstream,
  type UpstreamDescription,
  type UpstreamSet,
} from './upstreams/upstream-set.ts';
import { toSingleUpstream, type UpstreamsSettings } from './upstreams/upstream-settings.ts';

type Stores = Readonly<{
  keys: KeyStore;
  members: Readonly<{ find: (id: string) => Promise<StoredOwner | null> }>;
  usage: UsageStore;
  balances: BalanceStore;
  rejections: RejectionStore;
  /** Unix ms by the database's clock. */
  readClock: () => Promise<number>;
}>;

export type AiProxyOptions = Readonly<{
  storage: Readonly<{ dataDir: string }>;
  keys: Readonly<{ pepper: string | null; previousPepper: string | null }> & KeyDefaults;
  /** Members' keys depend on their sign-in at `/account`. */
  site: Readonly<{ url: string }>;
  keysWorkUntil: OwnerRule;
  ai: Readonly<{
    upstreamUrl: string | null;
    upstreamKey: string | null;
    responses: 'native' | 'chat';
    messages: 'native' | 'chat';
    models: readonly string[] | null;
    /** Several upstreams; null: the one above. */
    upstreams: UpstreamsSettings | null;
  }>;
  proxy: Readonly<{ bodyBytesMax: number; timeoutSeconds: number }>;
  database: Stores;
  /** For limits shared between instances; null: each instance applies its own. */
  redis: SharedRedis | null;
  /** How many proxies of ours are in front: see `readClientAddress`. */
  trustProxy: number;
  isOverloaded: () => boolean;
  /** Unix time in ms. */
  now: () => number;
  log: Log;
}>;

type Generate = (request: Request) => Promise<Response>;

/** The AI proxy with all its parts: what routes run. */
export type AiProxy = Readonly<{
  completeChat: Generate;
  createResponse: Generate;
  compactResponse: Generate;
  countInputTokens: Generate;
  createMessage: Generate;
  countTokens: Generate;
  createEmbeddings: Generate;
  /** A request of a member in the playground: no key, but the default limits. */
  generateFor: (
    request: Request,
    api: 'chat' | 'responses',
    member: MemberKey,
  ) => Promise<Response>;
  describeKey: Generate;
  models: ModelLists;
  /** The upstreams as an operator sees them. */
  describeUpstreams: () => readonly UpstreamDescription[];
  /** Adopts usage that earlier processes left behind; otherwise the first request does. */
  start: () => void;
  /** Applies other upstreams; running requests go on. */
  replaceUpstreams: (settings: UpstreamsSettings) => void;
  /** Ends running requests and writes the remaining usage. */
  close: () => Promise<void>;
}>;

/** Starts its parts on first use: a site without an AI upstream needs none of them. */
export function createAiProxy(options: AiProxyOptions): AiProxy {
  const { ai, proxy, now, log } = options;
  const settings = ai.upstreams ?? toSingleUpstream(ai);
  const missing = typeof settings === 'string' ? settings : null;
  const upstreams = createUpstreamSet({
    settings: typeof settings === 'string' ? { upstreams: [], models: [] } : settings,
    firstByteMs: proxy.timeoutSeconds * 1000,
    now,
    log,
  });
  const models =
    missing === null
      ? createModelLists({ sources: upstreams, allowed: ai.models, now })
      : createMissingModels(missing);
  const chat = createChatEndpoint(now);
  const responses = createResponsesEndpoint(now);
  const messages = createMessagesEndpoint(now);
  const tokenCounts = createCountTokensEndpoint();
  const embeddings = createEmbeddingsEndpoint();
  let started: StartedParts | null = null;

  function run(): StartedParts {
    if (missing !== null) throw toMisconfiguredError(missing);
    started ??= startParts(options, upstreams, models);
    return started;
  }

  return {
    models,
    start() {
      try {
        if (missing === null) run();
      } catch (error) {
        // Each request tries again.
        log.error(toLogFields(error), 'the AI proxy cannot start yet');
      }
    },
    describeUpstreams: () => upstreams.upstreams().map(describeUpstream),
    replaceUpstreams: upstreams.replace,
    completeChat: async (request) => run().respond(request, chat),
    createResponse: async (request) => run().respond(request, responses),
    compactResponse: async (request) =>
      withMissingEndpoint('/responses/compact', run().respond(request, compactEndpoint)),
    countInputTokens: async (request) =>
      withMissingEndpoint('/responses/input_tokens', run().respond(request, inputTokensEndpoint)),
    createMessage: async (request) => run().respond(request, messages),
    countTokens: async (request) => run().respond(request, tokenCounts),
    createEmbeddings: async (request) => run().respond(request, embeddings),
    async generateFor(request, api, member) {
      const { respond, authenticator } = run();
      const endpoint = api === 'chat' ? chat : responses;
      return respond(request, endpoint, authenticator.authenticateMember(member));
    },
    describeKey: async (request) => run().describeKey(request),
    async close() {
      await upstreams.close();
      await started?.close();
    },
  };
}

type StartedParts = ReturnType<typeof startParts>;

/** Puts the parts together: keys, limits, usage records and the pipeline. */
function startParts(options: AiProxyOptions, upstreams: UpstreamSet, models: ModelLists) {
  const { storage, keys, keysWorkUntil, proxy, database, redis, now, log } = options;
  const pepper = loadPepper({ keyPepper: keys.pepper, dataDir: storage.dataDir });
  const toHash = createKeyHasher(pepper);
  const { dataDir } = storage;
  const recorder = createUsageRecorder({ stores: database, dataDir, now, log });
  const started = recorder.start();
  const limits = createLimits({
    redis,
    async loadUsed(periods) {
      // Includes the usage of a process that was just killed, and of this one in the last second.
      await started;
      await recorder.flush();
      return loadUsed(database, periods);
    },
    now,
    log,
  });
  const authenticator = createKeyAuthenticator({
    keys: database.keys,
    members: database.members,
    defaults: keys,
    keysWorkUntil,
    toHash,
    toPreviousHash: keys.previousPepper === null ? null : createKeyHasher(keys.previousPepper),
    siteUrl: options.site.url,
    trustedHops: options.trustProxy,
    now,
    log,
  });
  const { bodyBytesMax, timeoutSeconds } = proxy;
  const background = createBackgroundCalls();
  const respond = createPipeline({
    authenticator,
    limits,
    recorder,
    factors: createPromptFactors(),
    models,
    selectTargets: createTargetSelector(upstreams),
    bounds: createReplyBounds(),
    fields: createLearnedFields({ now, log }),
    background,
    timeoutMs: timeoutSeconds * 1000,
    isOverloaded: options.isOverloaded,
    now,
    bodyBytesMax,
    toHash,
    log,
  });
  return {
    respond,
    authenticator,
    describeKey: createKeyView({ authenticator, limits, recorder, usage: database.usage, now }),
    async close() {
      background.close();
      await recorder.close();
      await limits.close();
    },
  };
}

async function loadUsed(
  { balances }: Pick<Stores, 'balances'>,
  accountPeriods: readonly AccountPeriod[],
): Promise<Amounts[]> {
  const accounts = new Set(accountPeriods.map(({ account }) => account));
  const periods = new Set(accountPeriods.map(({ period }) => period));
  const found = await balances.find([...accounts], [...periods]);
  return accountPeriods.map(({ account, period }) => {
    const balance = found.find((other) => other.account === account && other.period === period);
    return { tokens: balance?.tokens ?? 0, nanoUsd: balance?.nanoUsd ?? 0 };
  });
}

/** Without an upstream, every list is the error that names the missing setting. */
function createMissingModels(variable: string): ModelLists {
  const fail = async () => {
    throw toMisconfiguredError(variable);
  };
  return {
    current: fail,
    require: fail,
    namesOf: (model) => [model],
    find: () => null,
    isAllowed: () => false,
    isRestricted: true,
  };
}
