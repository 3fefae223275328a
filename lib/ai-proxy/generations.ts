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
import { sumUsed } from '#lib/spend/budgets.ts';
import { createLimits } from '#lib/spend/limits/create-limits.ts';
import type { AccountPeriod, Amounts } from '#lib/spend/limits/limits.ts';
import { toPeriodDays } from '#lib/spend/periods.ts';
import { createUsageRecorder } from '#lib/spend/records/usage-recorder.ts';
import type { BalanceStore } from '#lib/spend/store/balance-store.ts';
import type { RejectionStore } from '#lib/spend/store/rejection-store.ts';
import type { UsageStore } from '#lib/spend/store/usage-store.ts';
import { createPromptFactors } from '#lib/spend/usage/prompt-factors.ts';
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
import { createLearnedFields } from './pipeline/learned-fields.ts';
import { createPipeline } from './pipeline/pipeline.ts';
import { createReplyBounds } from './pipeline/plan-request.ts';
import { createTargetSelector } from './upstreams/select-targets.ts';
import type { UpstreamSet } from './upstreams/upstream-set.ts';
import type { UpstreamsSettings } from './upstreams/upstream-settings.ts';

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

export type Generations = ReturnType<typeof createGenerations>;

/** Puts together what generates: keys, limits, usage records, the pipeline and its endpoints. */
export function createGenerations(
  options: AiProxyOptions,
  upstreams: UpstreamSet,
  models: ModelLists,
) {
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
  const chat = createChatEndpoint(now);
  const responses = createResponsesEndpoint(now);
  const messages = createMessagesEndpoint(now);
  const tokenCounts = createCountTokensEndpoint();
  const embeddings = createEmbeddingsEndpoint();
  return {
    completeChat: (request: Request) => respond(request, chat),
    createResponse: (request: Request) => respond(request, responses),
    compactResponse: (request: Request) =>
      withMissingEndpoint('/responses/compact', respond(request, compactEndpoint)),
    countInputTokens: (request: Request) =>
      withMissingEndpoint('/responses/input_tokens', respond(request, inputTokensEndpoint)),
    createMessage: (request: Request) => respond(request, messages),
    countTokens: (request: Request) => respond(request, tokenCounts),
    createEmbeddings: (request: Request) => respond(request, embeddings),
    generateFor: async (request: Request, api: 'chat' | 'responses', member: MemberKey) =>
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
  accountPeriods: readonly AccountPeriod[],
): Promise<Amounts[]> {
  const accounts = new Set(accountPeriods.map(({ account }) => account));
  const latest = accountPeriods
    .map(({ day }) => day)
    .sort()
    .at(-1);
  if (latest === undefined) return [];
  const found = await balances.find([...accounts], toPeriodDays(latest));
  return accountPeriods.map((accountPeriod) => sumUsed(found, accountPeriod, accountPeriod.day));
}
