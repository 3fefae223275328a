import { randomBytes } from 'node:crypto';
import type { WorkerPlace } from '#lib/config/config.ts';
import type { UpstreamsSettings } from '#lib/config/upstreams-schema.ts';
import { BodyMemory, toBodiesBytes } from '#lib/http/body-memory.ts';
import type { Log } from '#lib/http/log.ts';
import type { KeyDefaults } from '#lib/keys/api-key.ts';
import {
  createKeyAuthenticator,
  type MemberKey,
  type OwnerRule,
} from '#lib/keys/key-authenticator.ts';
import { createKeyHandler } from '#lib/keys/key-handler.ts';
import { openKeyRequest } from '#lib/keys/key-request.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import { createRequestUsageHandler } from '#lib/keys/request-usage-handler.ts';
import type { StoredOwner } from '#lib/keys/store/key-record.ts';
import type { KeyStore } from '#lib/keys/store/key-store.ts';
import { createUsageHandler } from '#lib/keys/usage-handler.ts';
import { createLeases } from '#lib/spend/ledger/leases.ts';
import type { Ledger } from '#lib/spend/ledger/ledger.ts';
import { createUsageIds } from '#lib/spend/ledger/usage-record.ts';
import type { BalanceStore } from '#lib/spend/store/balance-store.ts';
import type { UsageStore } from '#lib/spend/store/usage-store.ts';
import { createPromptFactors } from '#lib/spend/usage/prompt-factors.ts';
import type { EndpointId } from './endpoints.ts';
import type { ModelLists } from './models/model-lists.ts';
import { createBackgroundCalls } from './pipeline/background-calls.ts';
import { createLearnedFacts } from './pipeline/learned-facts.ts';
import { createPipeline } from './pipeline/pipeline.ts';
import { chat } from './protocols/chat/chat.ts';
import { embeddings } from './protocols/embeddings/embeddings.ts';
import { countTokens, messages } from './protocols/messages/messages.ts';
import { compact, inputTokens, responses } from './protocols/responses/responses.ts';
import type { FactStore } from './upstreams/fact-store.ts';
import type { SlotStore } from './upstreams/limits/slot-store.ts';
import { createTargetSelector } from './upstreams/select-targets.ts';
import type { SingleUpstream, UpstreamSet } from './upstreams/upstream-set.ts';

type Stores = Readonly<{
  keys: KeyStore;
  members: Readonly<{ find: (id: string) => Promise<StoredOwner | null> }>;
  usage: Pick<UsageStore, 'sumByDayAndModel' | 'findOfKey'>;
  balances: Pick<BalanceStore, 'readUses'>;
  slots: SlotStore;
  upstreamFacts: FactStore;
  /** Unix ms by the database's clock. */
  readClock: () => Promise<number>;
}>;

export type AiProxyOptions = Readonly<{
  worker: WorkerPlace;
  storage: Readonly<{ dataDir: string }>;
  keys: Readonly<{ pepper: string | null; previousPepper: string | null }> & KeyDefaults;
  /** Members' keys depend on their sign-in at `/account`. */
  site: Readonly<{ url: string }>;
  keysWorkUntil: OwnerRule;
  ai: SingleUpstream &
    Readonly<{
      models: readonly string[] | null;
      /** Several upstreams; null: the single one. */
      upstreams: UpstreamsSettings | null;
    }>;
  proxy: Readonly<{
    bodyBytesMax: number;
    bodiesBytesMax: number | null;
    timeoutSeconds: number;
  }>;
  workers: number;
  database: Stores;
  ledger: Ledger;
  /** How many proxies of ours are in front: see `readClientAddress`. */
  trustProxy: number;
  isOverloaded: () => boolean;
  /** Unix time in ms. */
  now: () => number;
  log: Log;
}>;

type Handlers = Readonly<Partial<Record<EndpointId, (request: Request) => Promise<Response>>>>;

/** What a member may use without a key. */
export type MemberApi = 'chat' | 'responses' | 'messages';

export type Generations = ReturnType<typeof createGenerations>;

/** Puts together what generates: keys, leases of usage records, the pipeline and its endpoints. */
export function createGenerations(
  options: AiProxyOptions,
  upstreams: UpstreamSet,
  models: ModelLists,
) {
  const { storage, keys, keysWorkUntil, proxy, database, ledger, now, log } = options;
  const pepper = loadPepper({ keyPepper: keys.pepper, dataDir: storage.dataDir });
  const toHash = createKeyHasher(pepper);
  const leases = createLeases({ ledger, log });
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
  const { bodyBytesMax, bodiesBytesMax, timeoutSeconds } = proxy;
  const background = createBackgroundCalls();
  const respond = createPipeline({
    authenticator,
    ledger,
    leases,
    nextId: createUsageIds(now, randomBytes(9).toString('base64url')),
    factors: createPromptFactors(),
    disputed: new Set(),
    models,
    selectTargets: createTargetSelector(upstreams),
    facts: createLearnedFacts({ store: database.upstreamFacts, now, log }),
    background,
    timeoutMs: timeoutSeconds * 1000,
    isOverloaded: options.isOverloaded,
    siteUrl: options.site.url,
    now,
    bodyBytesMax,
    bodies: new BodyMemory(bodiesBytesMax ?? toBodiesBytes(options.workers)),
    toHash,
    log,
  });
  const handlers = {
    createResponse: (request) => respond(request, responses),
    createChatCompletion: (request) => respond(request, chat),
    createMessage: (request) => respond(request, messages),
    countMessageTokens: (request) => respond(request, countTokens),
    countInputTokens: (request) => respond(request, inputTokens),
    compactResponse: (request) => respond(request, compact),
    createEmbeddings: (request) => respond(request, embeddings),
    getKey: createKeyHandler({ ...database, authenticator, ledger, now }),
    getGeneration: createRequestUsageHandler({ ...database, authenticator, ledger }),
    getUsage: createUsageHandler({ ...database, authenticator, ledger, now }),
  } satisfies Handlers;
  return {
    handlers,
    openKey: (request: Request) => openKeyRequest(request, { authenticator, ledger }),
    generateFor: async (request: Request, api: MemberApi, member: MemberKey) =>
      respond(
        request,
        { chat, responses, messages }[api],
        authenticator.authenticateMember(member),
      ),
    async close() {
      background.close();
      leases.close();
    },
  };
}
