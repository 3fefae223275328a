import { HttpError, toHttpError, withHeaders } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { readBody } from '#lib/http/read-body.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import { type ApiKey, mayUseModel } from '#lib/keys/api-key.ts';
import { readAuthorization } from '#lib/keys/authorization.ts';
import type { KeyAuthenticator } from '#lib/keys/key-authenticator.ts';
import type { Limits } from '#lib/spend/limits/limits.ts';
import { setKeyName } from '#lib/telemetry/request-key.ts';
import type { ModelLists } from '../models/model-lists.ts';
import { readJsonBody } from '../protocols/json/read-json-body.ts';
import type { SelectTargets } from '../upstreams/target.ts';
import { clientDisconnectedStatus, createClientDisconnectedError } from './client-disconnected.ts';
import { respondFromTargets } from './fail-over.ts';
import type { Endpoint } from './generation.ts';
import {
  type AccountingOptions,
  createRequestAccounting,
  type RequestAccounting,
} from './request-accounting.ts';
import { findFurtherModels, rejectChoiceByUpstream } from './require-allowed-models.ts';
import { type PossibleModel, requirePrices } from './require-prices.ts';
import { toDemand, toModelTokensMax, toOutputTokensMax } from './token-plan.ts';

export type PipelineOptions = Readonly<{
  authenticator: KeyAuthenticator;
  limits: Limits;
  models: Pick<ModelLists, 'require' | 'find' | 'namesOf' | 'isAllowed' | 'toCostUsd'>;
  selectTargets: SelectTargets;
  /** The longest wait for a reply to begin. */
  timeoutMs: number;
  /** Whether clients see which upstream has served them. */
  showsUpstreams?: boolean;
  /** Whether this process is overloaded. */
  isOverloaded?: () => boolean;
  recorder: AccountingOptions['recorder'];
  /** Unix time in ms. */
  now: () => number;
  bodyBytesMax: number;
  log: Log;
  /** How long a stream may be silent before a comment is sent. */
  heartbeatMs?: number;
}>;

/**
 * Responds to a generation request. @throws HttpError
 * @param known whose request it is, if that is known without a key: a member in the playground.
 */
export type Pipeline = (request: Request, endpoint: Endpoint, known?: ApiKey) => Promise<Response>;

/** Intermediaries close connections that are silent for about a minute. */
const defaultHeartbeatMs = 15_000;

/**
 * Every generation request: authenticate → count → read and validate → check the models → reserve →
 * call → translate → stream → settle. However it ends, each authenticated request is recorded or, if it was
 * rejected, counted.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { authenticator, limits, models, selectTargets, recorder, now, bodyBytesMax } = options;
  const { timeoutMs, showsUpstreams = false, isOverloaded = () => false } = options;
  const { log, heartbeatMs = defaultHeartbeatMs } = options;
  const accountingOptions: AccountingOptions = { recorder, now, toCostUsd: models.toCostUsd };

  function requireAllowed(key: ApiKey, model: string): void {
    if (!models.namesOf(model).some((name) => mayUseModel(key, name)))
      throw toForbiddenModel(model);
  }

  async function respond(
    request: Request,
    endpoint: Endpoint,
    key: ApiKey,
    accounting: RequestAccounting,
    requestHeaders: HeaderFields,
  ): Promise<Response> {
    endpoint.requireAllowed?.(key);
    requireJson(request);
    const given = await readJsonBody(await readBody(request, bodyBytesMax));
    const generation = endpoint.read(given);
    if (key.models !== null) rejectChoiceByUpstream(given);
    const furtherModels = findFurtherModels(given);
    accounting.setRequest({
      models: [...new Set([...generation.models, ...furtherModels])],
      isStreamed: generation.isStream,
    });
    const known: PossibleModel[] = [];
    for (const name of generation.models) {
      requireAllowed(key, name);
      known.push({ name, model: await models.require(name, endpoint.modelKind) });
    }
    const modelTokensMax = toModelTokensMax(known.map(({ model }) => model));
    for (const name of furtherModels) {
      requireAllowed(key, name);
      if (!models.isAllowed(name)) throw toForbiddenModel(name);
      known.push({ name, model: models.find(name) });
    }
    accounting.observer.setModel(known[0]?.model?.id ?? null);
    const prices = hasDollarLimit(key) ? requirePrices(generation, known) : null;
    const demand = toDemand(generation, modelTokensMax, prices);
    const reservation = await limits.reserve(key, demand);
    accounting.setReservation(reservation);
    const outputTokensMax = toOutputTokensMax(generation, modelTokensMax, reservation);
    const headers = [...requestHeaders, ...reservation.headers];
    try {
      if (request.signal.aborted) throw createClientDisconnectedError();
      accounting.open(generation.promptTokensEstimate);
      const accepted = {
        ...{ request, keyId: key.id, generation, reservation, outputTokensMax },
        ...{ accounting, headers, heartbeatMs, log },
      };
      const targets = selectTargets(generation.models[0] ?? '');
      return await respondFromTargets(accepted, { targets, timeoutMs, showsUpstreams });
    } catch (thrown) {
      throw withHeaders(toHttpError(thrown), reservation.headers);
    }
  }

  return async (request, endpoint, known) => {
    if (isOverloaded()) throw createOverloadError();
    const authorization = readAuthorization(request.headers, endpoint.keyHeaders);
    const key = known ?? (await authenticator.authenticate(authorization, request));
    setKeyName(request, key.name);
    const accounting = createRequestAccounting(accountingOptions, key, endpoint.name);
    let headers: HeaderFields = [];
    try {
      // Before the body is read, so that rejected requests count and cost little.
      headers = await limits.countRequest(key);
      return await respond(request, endpoint, key, accounting, headers);
    } catch (thrown) {
      const error = withHeaders(toHttpError(thrown), headers);
      accounting.observer.reject(error);
      const status = request.signal.aborted ? clientDisconnectedStatus : error.status;
      accounting.fail(status, error.code ?? 'invalid_request_error');
      throw error;
    }
  };
}

function hasDollarLimit({ limits }: ApiKey): boolean {
  return limits.some(({ nanoUsd }) => nanoUsd !== null);
}

function createOverloadError(): HttpError {
  return new HttpError(503, {
    code: 'server_is_overloaded',
    message: 'This server has too much to do at the moment. Try again in a few seconds.',
    headers: { 'Retry-After': '2' },
    reason: 'event_loop_delay',
  });
}

function requireJson(request: Request): void {
  const type = request.headers.get('content-type') ?? '';
  const encoding = request.headers.get('content-encoding') ?? '';
  const isJson = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);
  if (isJson && /^(?:identity)?$/i.test(encoding)) return;
  throw new HttpError(415, {
    code: 'unsupported_media_type',
    message: isJson
      ? 'Compressed bodies are not supported: send the body without Content-Encoding.'
      : 'The body must be JSON: send it with the header `Content-Type: application/json`.',
  });
}

function toForbiddenModel(model: string): HttpError {
  return new HttpError(403, {
    code: 'model_not_allowed',
    param: 'model',
    message: `This API key may not use the model ${JSON.stringify(model.slice(0, 100))}. Ask the operator which models it may use.`,
  });
}
