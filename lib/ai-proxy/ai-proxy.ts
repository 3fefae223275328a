import { toLogFields } from '#lib/storage/storage-error.ts';
import { createModelLists, type ModelLists } from './models/model-lists.ts';
import { type AiProxyOptions, type StartedAiProxy, startAiProxy } from './start-ai-proxy.ts';
import { toMisconfiguredError } from './upstreams/errors/failure.ts';
import {
  createUpstreamSet,
  describeUpstream,
  type UpstreamDescription,
} from './upstreams/upstream-set.ts';
import { toSingleUpstream, type UpstreamsSettings } from './upstreams/upstream-settings.ts';

/** The AI proxy with all its parts. */
export type AiProxy = StartedAiProxy &
  Readonly<{
    models: ModelLists;
    /** The upstreams as an operator sees them. */
    describeUpstreams: () => readonly UpstreamDescription[];
    /** Adopts usage that earlier processes left behind; otherwise the first request does. */
    start: () => void;
    /** Applies other upstreams; running requests go on. */
    replaceUpstreams: (settings: UpstreamsSettings) => void;
  }>;

/** Starts its parts on first use: a site without an AI upstream needs none of them. */
export function createAiProxy(options: AiProxyOptions): AiProxy {
  const { ai, proxy, now, log } = options;
  const settings = ai.upstreams ?? toSingleUpstream(ai);
  const missing = typeof settings === 'string' ? settings : null;
  const firstByteMs = proxy.timeoutSeconds * 1000;
  const upstreams = createUpstreamSet({
    settings: typeof settings === 'string' ? { upstreams: [], models: [] } : settings,
    firstByteMs,
    now,
    log,
  });
  const models =
    missing === null
      ? createModelLists({ sources: upstreams, allowed: ai.models, now })
      : createMissingModels(missing);
  let started: StartedAiProxy | null = null;

  function run(): StartedAiProxy {
    if (missing !== null) throw toMisconfiguredError(missing);
    started ??= startAiProxy(options, upstreams, models);
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
    completeChat: async (request) => run().completeChat(request),
    createResponse: async (request) => run().createResponse(request),
    compactResponse: async (request) => run().compactResponse(request),
    countInputTokens: async (request) => run().countInputTokens(request),
    createMessage: async (request) => run().createMessage(request),
    countTokens: async (request) => run().countTokens(request),
    createEmbeddings: async (request) => run().createEmbeddings(request),
    generateFor: async (request, api, member) => run().generateFor(request, api, member),
    describeKey: async (request) => run().describeKey(request),
    async close() {
      await upstreams.close();
      await started?.close();
    },
  };
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
