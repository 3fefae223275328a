import { createServer } from 'node:http';
import { NodeRequest } from 'srvx/node';
import { createBackgroundCalls } from '#lib/ai-proxy/pipeline/background-calls.ts';
import { createLearnedFacts } from '#lib/ai-proxy/pipeline/learned-facts.ts';
import { createPipeline } from '#lib/ai-proxy/pipeline/pipeline.ts';
import { chat } from '#lib/ai-proxy/protocols/chat/chat.ts';
import type { Protocol } from '#lib/ai-proxy/protocols/protocol.ts';
import { toMark } from '#lib/ai-proxy/protocols/reasoning-mark.ts';
import { responses } from '#lib/ai-proxy/protocols/responses/responses.ts';
import { createProxyRoute } from '#lib/ai-proxy/proxy-route.ts';
import type { BreakerSettings } from '#lib/ai-proxy/upstreams/breakers.ts';
import { createUpstream } from '#lib/ai-proxy/upstreams/upstream.ts';
import { noBudget } from '#lib/config/budget.ts';
import { openDatabase } from '#lib/database.ts';
import { BodyMemory } from '#lib/http/body-memory.ts';
import type { HttpError } from '#lib/http/errors/errors.ts';
import { toApiKey } from '#lib/keys/api-key.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { sendResponse } from '#lib/server/send-response.ts';
import { createLedger } from '#lib/spend/ledger/ledger.ts';
import { createUsageIds, type UsageRecord } from '#lib/spend/ledger/usage-record.ts';
import type { Prices } from '#lib/spend/prices.ts';
import { makeKeyRecord } from '../factories/key-factory.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { createTestLog } from '../test-log.ts';
import { neverOpens } from '../upstreams/model-upstream.ts';
import { copyDatabase } from './copy-database.ts';
import { listenOnLoopback } from './loopback-server.ts';

const endpoints = {
  chat,
  responses,
  translated: responses,
} as const;

export type PipelineServerOptions = Readonly<{
  /** URL of the upstream, including `/v1`. */
  url: string;
  /** URLs of upstreams that take over if it fails. */
  further?: readonly string[];
  /** How long each of them may take to begin, in their order; 20 s by default. */
  firstByteMs?: readonly number[];
  key?: string;
  heartbeatMs?: number;
  bodyBytesMax?: number;
  bodies?: BodyMemory;
  /** Called while the model is looked up. */
  onRequire?: () => Promise<void>;
  /** Called while the request is recorded, before the upstream is called. */
  onRecord?: () => Promise<void>;
  /** The prices of the model; unknown by default. */
  prices?: Prices | null;
  /** How long a call whose client has left may go on. */
  backgroundMs?: number;
  /** Default: chat. */
  style?: keyof typeof endpoints;
  /** Of the key; by default more than any test uses. */
  tokensPerDay?: number;
  requestsPerMinute?: number;
  isOverloaded?: () => boolean;
  /** The error that ends running streams; null for none. */
  recheck?: () => Promise<HttpError | null>;
  /** Of the model; unknown by default. */
  contextTokens?: number;
  replyTokensMax?: number;
  /** By default it never opens. */
  breaker?: Partial<BreakerSettings>;
}>;

/**
 * Starts a server with the pipeline and any upstream, without models, and with one key for all
 * requests; another Authorization header is another key. It stops with the scope.
 */
export async function startPipelineServer(options: PipelineServerOptions) {
  const { url, key = 'sk-of-the-upstream', heartbeatMs, bodyBytesMax = 1024 * 1024 } = options;
  const { onRequire = async () => {}, onRecord = async () => {} } = options;
  const { prices = null, backgroundMs } = options;
  const background = createBackgroundCalls(backgroundMs);
  const { tokensPerDay = 1_000_000_000, requestsPerMinute = 1_000_000 } = options;
  const limitsOfKey = { tokensPerDay, requestsPerMinute };
  const now = Date.now;
  const log = createTestLog();
  const records: UsageRecord[] = [];
  const rejections: UsageRecord[] = [];
  const reservations = { open: 0, tokens: 0 };
  const { further = [], firstByteMs = [], breaker = neverOpens } = options;
  const timeouts = { firstByteMs: 20_000 };
  const upstreams = [url, ...further].map((upstreamUrl) =>
    createUpstream({ url: upstreamUrl, key, log, timeouts, breaker }),
  );
  const { style = 'chat' } = options;
  const protocols = new Set<Protocol>(style === 'translated' ? ['chat'] : ['chat', 'responses']);
  const folder = makeTemporaryFolder();
  await copyDatabase(folder.path);
  const database = await openDatabase({ databaseUrl: null, dataDir: folder.path });
  const ledger = createLedger({ transactions: database.ledger, log });
  const respond = createPipeline({
    authenticator: {
      authenticate: async (id) => ({
        key: toApiKey({ ...anyKey, ...(id !== null && { id }) }, { ...defaults, ...limitsOfKey }),
        recheck: options.recheck ?? (async () => null),
      }),
    },
    ledger: {
      ...ledger,
      reject(rejection, request) {
        ledger.reject(rejection, request);
        rejections.push(rejection);
      },
      async reserve(id, reserve) {
        const reserved = await ledger.reserve(id, reserve);
        await onRecord();
        return reserved;
      },
      end(record) {
        ledger.end(record);
        records.push(record);
        reservations.tokens += record.tokensIn + record.tokensOut;
      },
    },
    leases: {
      add() {
        reservations.open += 1;
      },
      remove() {
        reservations.open -= 1;
      },
    },
    nextId: createUsageIds(now, 'test'),
    siteUrl: 'https://events.example',
    models: {
      async select() {
        await onRequire();
        return {
          require: () => null,
          find: () => null,
          namesOf: (model) => [model],
          isAllowed: () => true,
          isRestricted: false,
        };
      },
    },
    selectTargets: (model) =>
      upstreams.map((upstream, index) => ({
        name: `upstream ${index + 1}`,
        upstream,
        model,
        circuit: model,
        isListed: true,
        protocols,
        firstByteMs: firstByteMs[index] ?? 20_000,
        prices,
        contextTokens: options.contextTokens ?? null,
        replyTokensMax: options.replyTokensMax ?? null,
        accepts: null,
        fixedQuirks: new Map(),
        reasoning: { own: toMark(`upstream ${index + 1}`), isWritten: false },
        extraPrices: {},
        maxCostUsd: 10,
        trustsLowCost: false,
      })),
    factors: { factorOf: () => 1, learn() {} },
    disputed: new Set(),
    facts: createLearnedFacts({ store: database.upstreamFacts, now, log }),
    background,
    timeoutMs: 20_000,
    now,
    bodyBytesMax,
    bodies: options.bodies ?? new BodyMemory(1e9),
    toHash: createKeyHasher('a pepper that tests share'),
    log,
    ...(heartbeatMs !== undefined && { heartbeatMs }),
    isOverloaded: options.isOverloaded ?? (() => false),
  });
  const endpoint = endpoints[style];
  const services = { site: { url: 'https://events.example' }, log };
  const complete = (request: Request) => respond(request, endpoint);
  const module = createProxyRoute(() => services, { POST: complete });
  let disconnects = 0;
  const server = createServer(async (incoming, outgoing) => {
    outgoing.once('close', () => {
      if (!outgoing.writableEnded) disconnects += 1;
    });
    const request = new NodeRequest({ req: incoming, res: outgoing });
    await sendResponse(outgoing, await module.POST(request, { params: Promise.resolve({}) }));
  });
  const { port, url: origin, close } = await listenOnLoopback(server);
  return {
    port,
    url: `${origin}/`,
    records,
    rejections,
    reservations,
    log,
    /** How many clients have left before the end of their response, as far as the server has noticed. */
    disconnects: () => disconnects,
    closeBackground: background.close,
    openCalls: () => upstreams.reduce((sum, upstream) => sum + upstream.health().openCalls, 0),
    async [Symbol.asyncDispose]() {
      background.close();
      await close();
      for (const upstream of upstreams) await upstream.close();
      await ledger.close();
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A request body that is valid for chat and for Responses. */
export function toPrompt(model: string, isStream: boolean, content = 'count to 50'): string {
  const messages = [{ role: 'user', content }];
  return JSON.stringify({ model, stream: isStream, messages, input: content });
}

export function toPost(body: string): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body };
}

const anyKey = makeKeyRecord({ id: 'key_of_the_test', name: 'test' });
const defaults = { memberBudget: noBudget, totalBudget: noBudget };
