import type { Log } from '#lib/http/log.ts';
import type { KeyDefaults } from '#lib/keys/api-key.ts';
import {
  createKeyAuthenticator,
  type MemberKey,
  type OwnerRule,
} from '#lib/keys/key-authenticator.ts';
import { createKeyOrigins } from '#lib/keys/key-origins.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { createKeyView } from '#lib/keys/key-view.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import type { StoredOwner } from '#lib/keys/store/key-record.ts';
import type { KeyStore } from '#lib/keys/store/key-store.ts';
import type { SharedRedis } from '#lib/redis/redis.ts';
import { createPromptFactors } from '#lib/spend/estimate/prompt-factors.ts';
import { createLimits } from '#lib/spend/limits/create-limits.ts';
import type { AccountPeriod, Amounts } from '#lib/spend/limits/limits.ts';
import { createUsageRecorder } from '#lib/spend/records/usage-recorder.ts';
import type { BalanceStore } from '#lib/spend/store/balance-store.ts';
import type { RejectionStore } from '#lib/spend/store/rejection-store.ts';
import type { UsageStore } from '#lib/spend/store/usage-store.ts';
import type { AuditLog } from '#lib/storage/audit-log.ts';
import type { ModelLists } from './models/model-lists.ts';
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
import { createPipeline } from './pipeline/pipeline.ts';
import { createReplyBounds } from './pipeline/reply-bounds.ts';
import { createTargetSelector } from './upstreams/select-targets.ts';
import type { UpstreamSet } from './upstreams/upstream-set.ts';
import type { UpstreamsSettings } from './upstreams/upstream-settings.ts';

type Stores = Readonly<{
  keys: KeyStore;
  members: Readonly<{ find: (id: string) => Promise<StoredOwner | null> }>;
  usage: UsageStore;
  balances: BalanceStore;
  rejections: RejectionStore;
  auditLog: AuditLog;
  /** Unix ms by the database's clock. */
  readClock: () => Promise<number>;
}>;

export type AiProxyOptions = Readonly<{
  storage: Readonly<{ dataDir: string; usageDays: number }>;
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

/** A request of a member in the playground: no key, but the default limits. */
type GenerateFor = (
  request: Request,
  api: 'chat' | 'responses',
  member: MemberKey,
) => Promise<Response>;

/** What routes run. */
export type StartedAiProxy = Readonly<{
  completeChat: Generate;
  createResponse: Generate;
  compactResponse: Generate;
  countInputTokens: Generate;
  createMessage: Generate;
  countTokens: Generate;
  createEmbeddings: Generate;
  generateFor: GenerateFor;
  describeKey: Generate;
  /** Ends running requests and writes the remaining usage. */
  close: () => Promise<void>;
}>;

/** Puts the parts together: keys, limits, usage records, the pipeline and its endpoints. */
export function startAiProxy(
  options: AiProxyOptions,
  upstreams: UpstreamSet,
  models: ModelLists,
): StartedAiProxy {
  const { storage, keys, keysWorkUntil, proxy, database, redis, now, log } = options;
  const pepper = loadPepper({ keyPepper: keys.pepper, dataDir: storage.dataDir });
  const { dataDir, usageDays } = storage;
  const recorder = createUsageRecorder({ stores: database, dataDir, usageDays, now, log });
  const started = recorder.start();
  const limits = createLimits({
    redis,
    async loadUsed(wanted) {
      // Includes the usage of a process that was just killed, and of this one in the last second.
      await started;
      await recorder.flush();
      return loadUsed(database, wanted);
    },
    now,
    log,
  });
  const authenticator = createKeyAuthenticator({
    keys: database.keys,
    members: database.members,
    defaults: keys,
    keysWorkUntil,
    toHash: createKeyHasher(pepper),
    toPreviousHash: keys.previousPepper === null ? null : createKeyHasher(keys.previousPepper),
    siteUrl: options.site.url,
    trustedHops: options.trustProxy,
    noteOrigin: createKeyOrigins({ keys: database.keys, now, log }),
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
    background,
    timeoutMs: timeoutSeconds * 1000,
    isOverloaded: options.isOverloaded,
    now,
    bodyBytesMax,
    log,
  });
  const chat = createChatEndpoint(now);
  const responses = createResponsesEndpoint(now);
  const messages = createMessagesEndpoint(now);
  const tokenCounts = createCountTokensEndpoint();
  const embeddings = createEmbeddingsEndpoint();
  return {
    completeChat: (request) => respond(request, chat),
    createResponse: (request) => respond(request, responses),
    compactResponse: (request) =>
      withMissingEndpoint('/responses/compact', respond(request, compactEndpoint)),
    countInputTokens: (request) =>
      withMissingEndpoint('/responses/input_tokens', respond(request, inputTokensEndpoint)),
    createMessage: (request) => respond(request, messages),
    countTokens: (request) => respond(request, tokenCounts),
    createEmbeddings: (request) => respond(request, embeddings),
    generateFor: (request, api, member) =>
      respond(request, api === 'chat' ? chat : responses, authenticator.authenticateMember(member)),
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
  wanted: readonly AccountPeriod[],
): Promise<Amounts[]> {
  const accounts = new Set(wanted.map(({ account }) => account));
  const periods = new Set(wanted.map(({ period }) => period));
  const found = await balances.find([...accounts], [...periods]);
  return wanted.map(({ account, period }) => {
    const balance = found.find((one) => one.account === account && one.period === period);
    return { tokens: balance?.tokens ?? 0, nanoUsd: balance?.nanoUsd ?? 0 };
  });
}
