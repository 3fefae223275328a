import type { Log } from '#lib/http/log.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import { channels } from '#lib/telemetry/channels.ts';
import {
  type BilledCall,
  type BilledReply,
  type BilledRequest,
  type BilledTarget,
  type Progress,
  toCutUsage,
  toFreeRecord,
  toKilledRecord,
  toUsageRecord,
} from './billed-call.ts';
import { toCharge, toRecordedUsd } from './charge.ts';
import { addReserved, type Need, toDemand, toExtensionDemand } from './demand.ts';
import { type Demand, type Granted, toWholeDemand } from './ledger/decide.ts';
import type { Leases } from './ledger/leases.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { CountedRequest } from './ledger/request-counts.ts';
import type { UsageRecord } from './ledger/usage-record.ts';
import {
  requireGranted,
  throwUnavailable,
  toReservationHeaders,
  toTooManyRequests,
} from './rate-limits.ts';
import { toBelievedUsage } from './usage/believed-tokens.ts';
import { type PromptFactors, toSentTokens } from './usage/prompt-factors.ts';
import type { TokenUsage } from './usage/token-usage.ts';

export type BillParts = Readonly<{
  ledger: Pick<Ledger, 'reserve' | 'extend' | 'end' | 'cancel'>;
  leases: Pick<Leases, 'add' | 'remove'>;
  /** Of records: unique, and ascending with time. */
  nextId: () => string;
  factors: PromptFactors;
  /** Names of upstreams whose reports contradict themselves, as was logged. */
  disputed: Set<string>;
  /** Unix ms. */
  now: () => number;
  log: Log;
}>;

type BillOptions = Readonly<{
  request: BilledRequest;
  /** Counted with the first reservation. */
  counted: CountedRequest;
  need: Need;
  /** The same, by what is known now. */
  refreshNeed?: () => Need;
  /** The target that is called first. */
  first: BilledTarget;
  onSettled: (record: UsageRecord) => void;
}>;

/** What is reserved at first. */
type Reservation = Pick<Granted, 'promptTokens' | 'outputTokens' | 'outputTokensLeft'> &
  Readonly<{
    /** The `x-ratelimit-*-tokens` headers, and a warning where little is left of a budget. */
    headers: HeaderFields;
  }>;

type State =
  /** Nothing has been sent: its record may still be removed. */
  | Readonly<{ kind: 'reserved'; target: BilledTarget }>
  /** An upstream was called. `detached`: the call goes on without its client, and is settled in the background. */
  | Readonly<{
      kind: 'recorded' | 'detached';
      target: BilledTarget;
      readProgress: (() => Progress) | null;
    }>
  | Readonly<{ kind: 'ended'; wasSent: boolean; record: UsageRecord }>;

const nothingYet: BilledReply = { firstByteMs: null, replyId: null, errorCode: null };

type Opened = Readonly<{ id: string; demand: Demand; reservation: Reservation }>;

/**
 * Reserves what a request may need. Its record is in the database from the start, also after `kill -9`.
 * @throws HttpError 402 or 429 if that is not left, 503 while the database is away
 */
export async function openBill(parts: BillParts, options: BillOptions): Promise<Bill> {
  const { ledger, leases, now } = parts;
  const { request, counted, need, first } = options;
  const { at } = request;
  const { limits } = request.key;
  const demand = toWholeDemand(toDemand(need, findFactor(parts, options)));
  const id = parts.nextId();
  const toRecord = ({ outputTokens }: Granted) => {
    const promptTokens = toPromptTokens(parts, options);
    const call = {
      id,
      request,
      need,
      target: first,
      promptTokens,
      outputTokens,
      reply: nothingYet,
    };
    return toKilledRecord(call, null);
  };
  const reserve = { limits, at, demand, toRecord, request: counted };
  const reserved = await ledger.reserve(id, reserve).catch(throwUnavailable);
  if (reserved === null) throw toTooManyRequests(counted);
  const { decision, uses, record } = requireGranted(reserved, now());
  const refreshed = need.unknownUsd > 0 ? options.refreshNeed?.() : undefined;
  if (refreshed?.unknownUsd === 0) {
    // What it costs has become known meanwhile.
    ledger.cancel(id);
    return openBill(parts, { ...options, need: refreshed });
  }
  const headers = toReservationHeaders(addReserved(uses, decision, demand), now());
  const bill = new Bill(parts, options, { id, demand, reservation: { ...decision, headers } });
  leases.add(record, () => bill.toRecord());
  channels.reservations.publish(1);
  return bill;
}

/**
 * One call of an upstream in money: what it has reserved, its record, and its price. It is settled or released exactly
 * once: only the first of these counts.
 */
export class Bill {
  readonly reservation: Reservation;
  readonly #parts: BillParts;
  readonly #options: BillOptions;
  readonly #opened: Opened;
  #state: State;
  /** Reserved for the reply. */
  #outputTokens: number;
  #reply = nothingYet;

  constructor(parts: BillParts, options: BillOptions, opened: Opened) {
    this.reservation = opened.reservation;
    this.#parts = parts;
    this.#options = options;
    this.#opened = opened;
    this.#state = { kind: 'reserved', target: options.first };
    this.#outputTokens = opened.reservation.outputTokens;
  }

  /** Neither ended nor detached: it may still be settled by those who serve the client. */
  get isOpen(): boolean {
    return this.#state.kind === 'reserved' || this.#state.kind === 'recorded';
  }

  /** An upstream was called: its record stays. */
  get wasSent(): boolean {
    return this.#state.kind === 'ended' ? this.#state.wasSent : this.#state.kind !== 'reserved';
  }

  /** Call it before an upstream is called. */
  start(target: BilledTarget): void {
    if (!this.isOpen) return;
    this.#state = { kind: 'recorded', target, readProgress: null };
    // That of a target before it.
    this.#reply = { ...this.#reply, errorCode: null };
  }

  /** Of a reply under way: what it has used so far. */
  setProgress(readProgress: () => Progress): void {
    const { kind } = this.#state;
    if (kind === 'recorded' || kind === 'detached') this.#state = { ...this.#state, readProgress };
  }

  /** From now on the call goes on in the background, which settles it. */
  detach(): void {
    if (this.#state.kind === 'recorded') this.#state = { ...this.#state, kind: 'detached' };
  }

  /** The first byte of the reply is sent; later calls do nothing. */
  markFirstByte(): void {
    if (this.#reply.firstByteMs !== null) return;
    const firstByteMs = performance.now() - this.#options.request.startedAt;
    this.#reply = { ...this.#reply, firstByteMs };
  }

  /** The reply begins. */
  setReplyId(replyId: string | null): void {
    this.#reply = { ...this.#reply, replyId };
  }

  /** What the client gets instead of a reply. */
  setErrorCode(errorCode: string | null): void {
    this.#reply = { ...this.#reply, errorCode };
  }

  /** Reserves so many more tokens for the reply, as far as they are left. Returns how many are reserved in all. */
  async extend(outputTokens: number): Promise<number> {
    if (this.#state.kind === 'ended') return this.#outputTokens;
    const { id, demand } = this.#opened;
    const { at, key } = this.#options.request;
    const more = toExtensionDemand(outputTokens, demand.price);
    const extension = { id, limits: key.limits, at, demand: more };
    // While the database is away, a reply goes on within what is reserved.
    this.#outputTokens += await this.#parts.ledger.extend(extension).catch(() => 0);
    return this.#outputTokens;
  }

  /**
   * @param status that the client got
   * @param usage null: unknown, so that its progress counts; without one the prompt is charged as sent, and all that is
   * reserved for the reply
   */
  settle(status: number, usage: TokenUsage | null): UsageRecord {
    if (this.#state.kind === 'ended') return this.#state.record;
    const call = this.#toCall(this.#state.target);
    const progress = usage === null ? this.#readProgress() : null;
    this.#learn(usage ?? progress?.reported ?? null);
    const used = progress === null ? usage : toCutUsage(call, progress);
    if (used?.costUsd !== undefined) checkCost(this.#parts.log, call, used);
    if (used?.disputedTokens !== undefined) reportDisputed(this.#parts, call, used);
    return this.#end(toUsageRecord(call, status, used));
  }

  /** It cost nothing. @param model a name for the record, where the client has made up its own */
  release(status: number, model = this.#options.request.model): UsageRecord {
    if (this.#state.kind === 'ended') return this.#state.record;
    return this.#end(toFreeRecord(this.#toCall(this.#state.target), status, model));
  }

  /** What the reply costs, in US dollars, if this is what it has used; once it has ended, what it has cost. Null: unknown. */
  toCostUsd(usage: TokenUsage): number | null {
    const state = this.#state;
    if (state.kind === 'ended') return toRecordedUsd(state.record.costUsd);
    const { tariff, bounds } = state.target;
    return toRecordedUsd(toCharge(toBelievedUsage(usage, bounds), tariff).costUsd);
  }

  /** As it is charged if the process dies now. */
  toRecord(): UsageRecord {
    const state = this.#state;
    if (state.kind === 'ended') return state.record;
    return toKilledRecord(this.#toCall(state.target), this.#readProgress());
  }

  #toCall(target: BilledTarget): BilledCall {
    const { request, need } = this.#options;
    const promptTokens = toPromptTokens(this.#parts, this.#options);
    return {
      id: this.#opened.id,
      request,
      need,
      target,
      promptTokens,
      outputTokens: this.#outputTokens,
      reply: this.#reply,
    };
  }

  #readProgress(): Progress | null {
    return 'readProgress' in this.#state ? (this.#state.readProgress?.() ?? null) : null;
  }

  #end(record: UsageRecord): UsageRecord {
    const { ledger, leases } = this.#parts;
    const { wasSent } = this;
    this.#state = { kind: 'ended', wasSent, record };
    leases.remove(record.id);
    channels.reservations.publish(-1);
    if (wasSent) ledger.end(record);
    else ledger.cancel(record.id);
    this.#options.onSettled(record);
    return record;
  }

  #learn(usage: TokenUsage | null): void {
    const { request, need } = this.#options;
    if (!usage?.inputTokens || need.hasFiles) return;
    const prompt = { estimate: need.promptTokensEstimate, actual: usage.inputTokens };
    this.#parts.factors.learn(request.model, request.key.owner, prompt);
  }
}

/** Of files nothing is known. */
function findFactor({ factors }: BillParts, { request, need }: BillOptions): number | null {
  return need.hasFiles ? null : factors.factorOf(request.model, request.key.owner);
}

/** By its estimate, and what prompts of its owner have needed. */
function toPromptTokens(parts: BillParts, options: BillOptions): number {
  return toSentTokens(options.need.promptTokensEstimate, findFactor(parts, options));
}

/** Once for each upstream. */
function reportDisputed(
  { log, disputed }: BillParts,
  { request, target: { upstream } }: BilledCall,
  { inputTokens, outputTokens, disputedTokens }: TokenUsage,
): void {
  if (disputed.has(upstream)) return;
  disputed.add(upstream);
  const model = request.model.slice(0, 100);
  const charged = inputTokens + outputTokens;
  log.warn(
    { reason: 'contradictory_usage', upstream, model, chargedTokens: charged, disputedTokens },
    'an upstream reports usage that contradicts itself: the smaller reading is charged',
  );
}

/** Reports a cost that is not believed. */
function checkCost(log: Log, { request, target }: BilledCall, usage: TokenUsage): void {
  if (!toCharge(toBelievedUsage(usage, target.bounds), target.tariff).isImplausible) return;
  const { upstream } = target;
  channels.implausibleCost.publish({ upstream });
  log.warn(
    {
      reason: 'implausible_cost',
      upstream,
      model: request.model.slice(0, 100),
      costUsd: usage.costUsd,
    },
    'an upstream reports a cost that is not believed: its tokens are charged by the list',
  );
}
