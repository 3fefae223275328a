import type { Log } from '#lib/http/log.ts';
import { isDisconnected, readBody } from '#lib/http/node-request.ts';
import { toProxyError } from '../error-form.ts';
import { type ApiKey, mayUseModel } from '../keys/api-key.ts';
import type { Keyring } from '../keys/keyring.ts';
import type { Limits } from '../limits/limits.ts';
import type { ModelLists } from '../models/model-lists.ts';
import { ProxyError, withHeaders } from '../proxy-error.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { callerLeftStatus, createCallerLeft } from './caller-left.ts';
import type { Endpoint, Generation } from './generation.ts';
import { type Ledger, type LedgerParts, openLedger } from './ledger.ts';
import { replyStreamed } from './streamed-reply.ts';
import { replyWhole } from './whole-reply.ts';

export type PipelineParts = Readonly<{
  keyring: Keyring;
  limits: Limits;
  models: Pick<ModelLists, 'require' | 'toCostUsd'>;
  upstream: Pick<Upstream, 'call' | 'readText'>;
  meter: LedgerParts['meter'];
  /** Unix time in ms. */
  now: () => number;
  bodyBytesMax: number;
  log: Log;
  /** How long a stream may be silent before a comment is sent, ms. */
  heartbeatMs?: number;
}>;

/** Answers a request for a reply. @throws ProxyError */
export type Pipeline = (request: Request, endpoint: Endpoint) => Promise<Response>;

/** What is set aside for a reply whose caller set no bound. */
const unboundedReplyTokens = 4096;
/** Machines in between close what is silent for a minute or so. */
const defaultHeartbeatMs = 15_000;

/**
 * The way of every request for a reply: authenticate → read and validate → route → limit → call →
 * translate → stream → meter. From the key on, each writes one usage record, however it ends.
 */
export function createPipeline(parts: PipelineParts): Pipeline {
  const { keyring, limits, models, upstream, meter, now, bodyBytesMax } = parts;
  const { log, heartbeatMs = defaultHeartbeatMs } = parts;
  const ledgerParts: LedgerParts = { meter, now, toCostUsd: models.toCostUsd };

  async function answer(
    request: Request,
    endpoint: Endpoint,
    key: ApiKey,
    ledger: Ledger,
  ): Promise<Response> {
    requireJson(request);
    const generation = endpoint.read(await readBody(request, bodyBytesMax));
    const { isStream } = generation;
    ledger.describe({ model: generation.models[0] ?? '', isStreamed: isStream });
    for (const model of generation.models) {
      if (!mayUseModel(key, model)) throw toForbiddenModel(model);
      await models.require(model);
    }
    const reservation = await limits.begin(key, { tokens: toTokensAtMost(generation) });
    ledger.hold(reservation);
    const { headers } = reservation;
    try {
      if (isDisconnected(request)) throw createCallerLeft();
      const asked = { request, generation, upstream, ledger, headers, heartbeatMs, log };
      return await (isStream ? replyStreamed(asked) : replyWhole(asked));
    } catch (thrown) {
      throw withHeaders(toProxyError(thrown), headers);
    }
  }

  return async (request, endpoint) => {
    const key = await keyring.authenticate(request.headers.get('authorization'));
    const ledger = openLedger(ledgerParts, key, endpoint.name);
    try {
      return await answer(request, endpoint, key, ledger);
    } catch (thrown) {
      const error = toProxyError(thrown);
      ledger.close(isDisconnected(request) ? callerLeftStatus : error.status, null);
      throw error;
    }
  };
}

function toTokensAtMost({ promptTokensEstimate, outputTokensMax }: Generation): number {
  return promptTokensEstimate + (outputTokensMax ?? unboundedReplyTokens);
}

function requireJson(request: Request): void {
  const type = request.headers.get('content-type') ?? '';
  const coding = request.headers.get('content-encoding') ?? '';
  const isJson = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);
  if (isJson && /^(?:identity)?$/i.test(coding)) return;
  throw new ProxyError(415, {
    type: 'invalid_request_error',
    code: 'unsupported_media_type',
    message: isJson
      ? 'The body is compressed, which this address does not take: send it without Content-Encoding.'
      : 'The body has to be JSON: send it with the header `Content-Type: application/json`.',
  });
}

function toForbiddenModel(model: string): ProxyError {
  return new ProxyError(403, {
    type: 'permission_error',
    code: 'model_not_allowed',
    param: 'model',
    message: `This key may not use the model ${JSON.stringify(model.slice(0, 100))}. Ask whoever gave it to you which ones it may use.`,
  });
}
