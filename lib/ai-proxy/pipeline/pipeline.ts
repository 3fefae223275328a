import { LRUCache } from 'lru-cache';
import type { BodyMemory } from '#lib/http/body-memory.ts';
import { boundEntries } from '#lib/http/bound-entries.ts';
import { HttpError, toHttpError, withHeaders } from '#lib/http/errors/errors.ts';
import { type JsonObject, toText } from '#lib/http/json-value.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import { readRequestId } from '#lib/http/route.ts';
import { createSharedTurn, createTurnsByName } from '#lib/http/time-slices.ts';
import type { ApiKey } from '#lib/keys/api-key.ts';
import type { Authenticated, KeyAuthenticator } from '#lib/keys/key-authenticator.ts';
import { type KeyHasher, readAuthorization } from '#lib/keys/key-text.ts';
import { type Bill, type BillParts, openBill } from '#lib/spend/bill.ts';
import { type BilledRequest, toRejectedRecord } from '#lib/spend/billed-call.ts';
import type { Ledger } from '#lib/spend/ledger/ledger.ts';
import type { CountedRequest } from '#lib/spend/ledger/request-counts.ts';
import type { UsageRecord } from '#lib/spend/ledger/usage-record.ts';
import { requireRequest, toRequestHeaders } from '#lib/spend/rate-limits.ts';
import { setKeyName } from '#lib/telemetry/request-log.ts';
import { toClientCode } from '../error-response.ts';
import { readJsonBody } from '../protocols/json/parse-json.ts';
import type { ModelEndpoint } from '../protocols/model-request.ts';
import {
  createClientDisconnectedError,
  toMisconfiguredError,
} from '../upstreams/errors/upstream-failure.ts';
import { Client } from './attempt.ts';
import { rejectOtherCase } from './field-names.ts';
import { observeGeneration } from './observe-generation.ts';
import { type PlanParts, planRequest, toBilledTarget } from './plan-request.ts';
import { respondInJson, respondInStream, type StreamResponseParts } from './reply-response.ts';
import { toConversation, toSessionName } from './session-name.ts';
import { reserveInTurn, showReply } from './shown-costs.ts';

const failingMax = 10_000;

type PipelineOptions = BillParts &
  PlanParts &
  StreamResponseParts &
  Readonly<{
    authenticator: Pick<KeyAuthenticator, 'authenticate'>;
    ledger: Pick<Ledger, 'begin' | 'reject'>;
    /** Whether this process is overloaded. */
    isOverloaded: () => boolean;
    /** Where members look requests up. */
    siteUrl: string;
    /** Unix time in ms. */
    now: () => number;
    bodyBytesMax: number;
    bodies: BodyMemory;
    /** For the names of coding sessions. */
    toHash: KeyHasher;
  }>;

/**
 * Responds to a generation request. @throws HttpError
 * @param member whose request it is, if that is known without a key: in the playground.
 */
type Pipeline = (
  request: Request,
  endpoint: ModelEndpoint,
  member?: Authenticated,
) => Promise<Response>;

/**
 * Every generation: authenticate → count → read and validate → check the models → reserve → for each target: call,
 * relay → settle. However it ends, each authenticated request is recorded or, if it was rejected, counted.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { authenticator, ledger, isOverloaded, now, bodyBytesMax, bodies, toHash, log } = options;
  const joinTurn = createSharedTurn();
  const waitForTurn = createTurnsByName();
  /** Owners of keys whose last request has failed: errors cost more to read than replies. */
  const failing = new LRUCache<string, true>(boundEntries(failingMax));
  /** Keys whose requests go without a tool, as was logged. */
  const reported = new LRUCache<string, true>(boundEntries(failingMax));

  function reportLeftOut({ id, name }: ApiKey, tools: readonly string[]): void {
    if (reported.has(id)) return;
    reported.set(id, true);
    const about = { reason: 'tool_without_price', key: name, tools: tools.map(toShownName) };
    log.warn(about, 'a key with a budget in dollars goes without tools that have no price');
  }

  /** @param model as the client names it: what no list has may be any text */
  async function reject(
    { model, ...request }: BilledRequest,
    error: HttpError,
    counted: CountedRequest,
  ): Promise<void> {
    const models = model === '' ? null : await options.models.select().catch(() => null);
    const listed = model && (models?.find(model)?.id ?? 'unknown');
    const record = toRejectedRecord(
      { ...request, model: listed },
      {
        id: options.nextId(),
        status: error.status,
        errorCode: toClientCode(error) ?? 'invalid_request_error',
        reachedLimit: error.limit ?? null,
      },
    );
    ledger.reject(record, counted);
  }

  return async function generate(request, endpoint, member) {
    if (isOverloaded()) throw createOverloadError();
    const authorization = readAuthorization(request.headers);
    const { key, recheck } = member ?? (await authenticator.authenticate(authorization, request));
    setKeyName(request, key.name);
    let asked: BilledRequest = {
      at: now(),
      startedAt: performance.now(),
      key,
      endpoint: endpoint.name,
      model: '',
      isStreamed: false,
      session: null,
      requestId: readRequestId(request.headers.get('x-request-id')),
    };
    const observer = observeGeneration(endpoint.name);
    // Before the body is read, so that rejected requests count and cost little.
    const counted = ledger.begin(key);
    const held = bodies.open(key.owner);
    let bill: Bill | null = null;
    let leftOut: readonly string[] = [];
    const toHeaders = (): HeaderFields => [
      ...toRequestHeaders(counted),
      ...toLeftOutHeaders(leftOut),
      ...(bill?.reservation.headers ?? []),
    ];
    try {
      requireRequest(counted);
      requireJson(request);
      await joinTurn();
      const body = await readJsonBody(request, {
        bytesMax: bodyBytesMax,
        owner: key.owner,
        held,
        hasTokens: endpoint.takesTokens === true,
      });
      asked = { ...asked, model: toText(body.model) };
      if (failing.has(key.owner)) await waitForTurn(key.owner);
      rejectOtherCase(body);
      const read = (sent: JsonObject) => endpoint.read(sent, () => Math.floor(now() / 1000));
      const generation = read(body);
      const session = toSessionName(request.headers, key.owner, toHash);
      const conversation = session ?? toConversation(body, key.owner);
      const plan = await planRequest(options, {
        request,
        endpoint,
        key,
        body,
        generation,
        read,
        conversation,
      });
      leftOut = plan.leftOut;
      if (leftOut.length > 0) reportLeftOut(key, leftOut);
      observer.setModel(plan.modelId);
      const [first] = plan.targets;
      if (first === undefined) throw toMisconfiguredError('AI_UPSTREAM_URL');
      asked = { ...asked, model: plan.model, isStreamed: generation.isStream };
      const billed = { ...asked, session };
      const onSettled = (record: UsageRecord) => {
        held.release();
        const { owner } = key;
        showReply(options.facts, { targets: plan.targets, owner, now: now() }, record);
        observer.end(record);
        if (record.status < 400) failing.delete(owner);
      };
      const reserve = () =>
        reserveInTurn(plan.toNeed, (need) =>
          openBill(options, {
            request: billed,
            counted,
            need,
            refreshNeed: plan.toNeed,
            first: toBilledTarget(first, null),
            onSettled,
          }),
        );
      bill = await reserve();
      const client = new Client(request);
      const accepted = {
        request,
        key,
        recheck,
        plan,
        client,
        held,
        bill,
        reserve,
        observer,
        headers: toHeaders(),
      };
      return await (generation.isStream
        ? respondInStream(options, accepted)
        : respondInJson(options, accepted));
    } catch (thrown) {
      held.release();
      const own = toHttpError(thrown);
      const error = withHeaders(own, toHeaders(), toHint(own, asked, options.siteUrl));
      observer.reject(error);
      failing.set(key.owner, true);
      const outcome = request.signal.aborted ? createClientDisconnectedError() : error;
      // Others are opened only after this one was.
      if (!bill?.wasSent) void reject(asked, outcome, counted);
      throw endpoint.toOwnError?.(thrown) ?? error;
    }
  };
}

/** Members can look up what has reached a limit. */
function toHint(
  { limit, hint }: HttpError,
  { key: { payer }, requestId }: BilledRequest,
  siteUrl: string,
): string | undefined {
  if (limit === undefined || payer.memberId === null || requestId === null) return hint;
  return `Details: ${siteUrl}/account/requests?request=${requestId}`;
}

const shownNamesMax = 10;

/** Tells the client what its request went without. */
function toLeftOutHeaders(tools: readonly string[]): HeaderFields {
  if (tools.length === 0) return [];
  const names = tools.slice(0, shownNamesMax).map(toShownName);
  return [['X-Marquee-Left-Out', names.join(', ')]];
}

/** A type of a tool may be any text. */
function toShownName(name: string): string {
  return name.replace(/[^\w.:-]+/g, '_').slice(0, 80);
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
  if (/^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) return;
  throw new HttpError(415, {
    code: 'unsupported_media_type',
    message: 'The body must be JSON: send it with the header `Content-Type: application/json`.',
  });
}
