import type { UpstreamsSettings } from '#lib/config/upstreams-schema.ts';
import type { MemberKey } from '#lib/keys/key-authenticator.ts';
import type { OpenedKey } from '#lib/keys/key-request.ts';
import { readAuthorization } from '#lib/keys/key-text.ts';
import { isStorageError, toLogFields } from '#lib/storage/storage-error.ts';
import { toUnavailableError } from '#lib/storage/wait-for-database.ts';
import type { AiProxyOptions, Generations, MemberApi } from './generations.ts';
import { createModelLists, type ModelLists } from './models/model-lists.ts';
import { toMisconfiguredError } from './upstreams/errors/upstream-failure.ts';
import {
  createUpstreamSet,
  describeUpstream,
  toSingleUpstream,
  type UpstreamDescription,
} from './upstreams/upstream-set.ts';

/** An endpoint to which `generations.ts` responds. */
export type HandledId = keyof Generations['handlers'];

/** The AI proxy with all its parts: what routes run. */
export type AiProxy = Readonly<{
  /** Responds to a request to an endpoint. */
  respond: (id: HandledId, request: Request) => Promise<Response>;
  /** A request of a member in the playground: no key, but the default limits. */
  generateFor: (request: Request, api: MemberApi, member: MemberKey) => Promise<Response>;
  /** A request about the key that it sends, which counts; null without one. @throws HttpError 401, 429, 503 */
  openKey: (request: Request) => Promise<OpenedKey | null>;
  models: ModelLists;
  /** The upstreams as an operator sees them. */
  describeUpstreams: () => readonly UpstreamDescription[];
  /** Reads what is left at the upstreams that tell it, unless that was done within a time, ms. */
  readCredits: (withinMs: number) => Promise<void>;
  /** Closes usage records that other processes left behind; otherwise that begins with the first request. */
  start: () => void;
  /** Applies other upstreams; running requests go on. */
  replaceUpstreams: (settings: UpstreamsSettings) => void;
  /** Ends running requests. */
  close: () => Promise<void>;
}>;

const unavailable = { message: 'API keys cannot be checked', reason: 'pepper_unreadable' };

/** What generates is loaded at its first use: a site without an AI upstream does not need it. */
export function createAiProxy(options: AiProxyOptions): AiProxy {
  const { ai, proxy, now, log } = options;
  const settings = ai.upstreams ?? toSingleUpstream(ai);
  const missing = typeof settings === 'string' ? settings : null;
  const upstreams = createUpstreamSet({
    settings: typeof settings === 'string' ? { upstreams: [], models: [] } : settings,
    firstByteMs: proxy.timeoutSeconds * 1000,
    worker: options.worker,
    sharedSlots: options.database,
    now,
    log,
  });
  const models =
    missing === null
      ? createModelLists({ sources: upstreams, allowed: ai.models, now })
      : createMissingModels(missing);
  let loading: Promise<Generations> | null = null;

  function load(): Promise<Generations> {
    if (missing !== null) return Promise.reject(toMisconfiguredError(missing));
    loading ??= import('./generations.ts')
      .then(({ createGenerations }) => createGenerations(options, upstreams, models))
      .catch((error: unknown) => {
        // Each request tries again.
        loading = null;
        throw isStorageError(error) ? toUnavailableError(unavailable, error) : error;
      });
    return loading;
  }

  return {
    models,
    start() {
      if (missing !== null) return;
      load().catch((error: Error) =>
        log.error(toLogFields(error.cause ?? error), 'the AI proxy cannot start yet'),
      );
    },
    describeUpstreams: () => upstreams.upstreams().map(describeUpstream),
    async readCredits(withinMs) {
      await Promise.all(upstreams.upstreams().map(({ credit }) => credit?.read(withinMs)));
    },
    replaceUpstreams: upstreams.replace,
    respond: async (id, request) => (await load()).handlers[id](request),
    openKey: async (request) =>
      readAuthorization(request.headers) ? (await load()).openKey(request) : null,
    generateFor: async (...call) => (await load()).generateFor(...call),
    async close() {
      const loaded = await loading?.catch(() => null);
      await upstreams.close();
      await loaded?.close();
    },
  };
}

/** Without an upstream, every list is the error that names the missing setting. */
function createMissingModels(variable: string): ModelLists {
  const fail = async () => {
    throw toMisconfiguredError(variable);
  };
  return { current: fail, select: fail };
}
