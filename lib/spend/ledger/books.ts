import { type AccountUse, type Span, toAccounts } from '../budgets.ts';
import type { UsageRow } from './usage-record.ts';

/** The requests of a key in a minute (counted from 1970) and in the one before. */
export type RequestCounts = Readonly<{
  key_id: string;
  minute: number;
  count: number;
  count_before: number;
}>;

/** The rejected requests of a key in one minute, with one status and code. */
export type RejectionRow = Readonly<{
  /** Of key, minute, status and code. */
  id: string;
  key_id: string;
  /** The minute's start, Unix ms. */
  at: number;
  day: string;
  status: number;
  code: string;
  count: number;
}>;

/** What a transaction has to read. */
export type Reads = Readonly<{
  spans: readonly Span[];
  recordIds: readonly string[];
  /** How many requests of each key are counted. */
  counted: readonly Readonly<{ key_id: string; count: number }>[];
  /** How many records whose lease has expired. */
  expiredMax: number;
}>;

export const noReads: Reads = { spans: [], recordIds: [], counted: [], expiredMax: 0 };

/** What it has read. */
export type LedgerState = Readonly<{
  /** Unix ms by the clock of the database. */
  now: number;
  /** In the order of the spans. */
  uses: readonly AccountUse[];
  records: readonly UsageRow[];
  /** With those of this transaction. */
  counts: readonly RequestCounts[];
  expired: readonly UsageRow[];
}>;

/** The requests of a key, of which a transaction has counted some. */
export type Counted = Readonly<{ now: number; after: RequestCounts; count: number }>;

/** What is added to the balance of an account on a day. */
export type BalanceChange = Readonly<{
  account: string;
  day: string;
  tokens: number;
  nano_usd: number;
  reserved_tokens: number;
  reserved_nano_usd: number;
}>;

/** What requests that have ended add to the three tables of sums: of a key and a member by day, of the site by hour. */
type Share = Readonly<{
  key_id: string;
  member_id: string | null;
  day: string;
  hour: number;
  model: string;
  upstream: string;
  status: number;
  requests: number;
  errors: number;
  tokens_in: number;
  tokens_out: number;
  tokens_cached: number;
  tokens_cache_written: number;
  cost_nano_usd: number;
  priced: number;
  first_byte_ms: number;
  first_bytes: number;
  rest_ms: number;
  rest_tokens_out: number;
  rests: number;
}>;

type UsedKey = Readonly<{ id: string; used_at: number }>;

/** What a transaction writes, in rows that have the columns of its table: amounts are added, records replaced. */
export type Writes = Readonly<{
  balances: readonly BalanceChange[];
  records: readonly UsageRow[];
  removed: readonly Readonly<{ id: string }>[];
  /** Records under way, as they stand, with new leases. */
  progress: readonly UsageRow[];
  sumsByKey: readonly Share[];
  sumsByMember: readonly Share[];
  sumsByHour: readonly Share[];
  usedKeys: readonly UsedKey[];
  rejections: readonly RejectionRow[];
  setAside: readonly Readonly<{ id: string; reason: string; record: string }>[];
}>;

/** A span that was read, with its use as it is now. */
type OpenSpan = Span & { use: AccountUse };

const hourMs = 3_600_000;

/**
 * What one transaction has read, changed by its entries one after the other, and what it will write. It does no I/O.
 * The balances and sums follow from the records: each row has a share in them, which changes when the row does.
 */
export class Books {
  /** Unix ms by the clock of the database. */
  readonly now: number;
  readonly expired: readonly UsageRow[];
  readonly #counted: Reads['counted'];
  readonly #state: LedgerState;
  /** By account. */
  readonly #spans: ReadonlyMap<string, readonly OpenSpan[]>;
  readonly #records = new RowsByName<UsageRow>(toLast);
  readonly #removed = new RowsByName<{ id: string }>(toLast);
  readonly #progress: UsageRow[] = [];
  readonly #balances = new RowsByName(addBalances);
  readonly #byKey = new RowsByName(addShares);
  readonly #byMember = new RowsByName(addShares);
  readonly #byHour = new RowsByName(addShares);
  readonly #usedKeys = new RowsByName(toLater);
  readonly #rejections = new RowsByName(addCounts);
  readonly #setAside: Writes['setAside'][number][] = [];

  constructor({ spans, counted }: Pick<Reads, 'spans' | 'counted'>, state: LedgerState) {
    this.now = state.now;
    this.expired = state.expired;
    this.#counted = counted;
    this.#state = state;
    const open = spans.map((span, index) => ({ ...span, use: state.uses[index] ?? nothing }));
    this.#spans = open.length === 0 ? noSpans : Map.groupBy(open, ({ account }) => account);
  }

  /** What an account has used and reserved in a span that was read. */
  useOf({ account, firstDay, lastDay }: Span): AccountUse {
    const found = this.#spans
      .get(account)
      ?.find((span) => span.firstDay === firstDay && span.lastDay === lastDay);
    if (found === undefined) throw new TypeError('A span was not read.');
    return found.use;
  }

  findRecord(id: string): UsageRow | undefined {
    if (this.#removed.get(id) !== undefined) return;
    const isWanted = (row: UsageRow) => row.id === id;
    return (
      this.#records.get(id) ?? this.#state.records.find(isWanted) ?? this.expired.find(isWanted)
    );
  }

  /** Replaces a record, or the absence of one, and its share in balances and sums. @param after null: it is removed */
  replaceRecord(before: UsageRow | undefined, after: UsageRow | null): void {
    const row = before ?? after;
    if (row === null) return;
    this.#changeBalances(row, toBalanceChange(before ?? null, after));
    if (before?.is_counted === 1) this.#addShare(before, -1);
    if (after?.is_counted === 1) this.#addShare(after, 1);
    if (after === null) this.#removed.add(row.id, { id: row.id });
    else this.#records.add(row.id, after);
  }

  /** Stores a record under way as it stands now. One that was closed meanwhile is left alone. */
  addProgress(row: UsageRow): void {
    this.#progress.push(row);
  }

  /** The requests of a key that were counted. */
  countedOf(keyId: string): Counted {
    const after = this.#state.counts.find(({ key_id }) => key_id === keyId);
    const counted = this.#counted.find(({ key_id }) => key_id === keyId);
    if (after === undefined || counted === undefined) {
      throw new TypeError('The requests of a key were not counted.');
    }
    return { now: this.now, after, count: counted.count };
  }

  /** The last use of a key. */
  setUsed(id: string, used_at: number): void {
    this.#usedKeys.add(id, { id, used_at });
  }

  addRejection(row: RejectionRow): void {
    this.#rejections.add(row.id, row);
  }

  /** A record that cannot be counted, as JSON; `reason` is an error's code. */
  setAside(row: Writes['setAside'][number]): void {
    this.#setAside.push(row);
  }

  get writes(): Writes {
    return {
      balances: this.#balances.rows,
      records: this.#records.rows,
      removed: this.#removed.rows,
      progress: this.#progress,
      sumsByKey: this.#byKey.rows,
      sumsByMember: this.#byMember.rows,
      sumsByHour: this.#byHour.rows,
      usedKeys: this.#usedKeys.rows,
      rejections: this.#rejections.rows,
      setAside: this.#setAside,
    };
  }

  #changeBalances(row: UsageRow, amounts: Amounts): void {
    const { day } = row;
    const payer = { keyId: row.key_id, memberId: row.member_id, groupName: row.group_name };
    for (const account of toAccounts(payer)) {
      // A blank is part of no day.
      this.#balances.add(`${account} ${day}`, {
        account,
        day,
        tokens: amounts.tokens,
        nano_usd: amounts.nano_usd,
        reserved_tokens: amounts.reserved_tokens,
        reserved_nano_usd: amounts.reserved_nano_usd,
      });
      for (const span of this.#spans.get(account) ?? []) {
        if (day < span.firstDay || day > span.lastDay) continue;
        const { use } = span;
        span.use = {
          tokens: use.tokens + amounts.tokens,
          nanoUsd: use.nanoUsd + amounts.nano_usd,
          reservedTokens: use.reservedTokens + amounts.reserved_tokens,
          reservedNanoUsd: use.reservedNanoUsd + amounts.reserved_nano_usd,
        };
      }
    }
  }

  #addShare(row: UsageRow, sign: 1 | -1): void {
    const share = toShare(row, sign);
    const { key_id, member_id, day, hour, model, upstream, status } = share;
    // No text of a record has a NUL.
    const name = `${model}\0${upstream}`;
    this.#byKey.add(`${key_id}\0${day}\0${name}`, share);
    if (member_id !== null) this.#byMember.add(`${member_id}\0${day}\0${name}`, share);
    this.#byHour.add(`${hour}\0${status}\0${name}`, share);
  }
}

const noSpans: ReadonlyMap<string, readonly OpenSpan[]> = new Map();
const nothing: AccountUse = { tokens: 0, nanoUsd: 0, reservedTokens: 0, reservedNanoUsd: 0 };

/** Rows to write, one for each name. Most transactions have rows of few tables. */
class RowsByName<T> {
  readonly #merge: (before: T, row: T) => T;
  #byName: Map<string, T> | null = null;

  constructor(merge: (before: T, row: T) => T) {
    this.#merge = merge;
  }

  add(name: string, row: T): void {
    this.#byName ??= new Map();
    const before = this.#byName.get(name);
    this.#byName.set(name, before === undefined ? row : this.#merge(before, row));
  }

  get(name: string): T | undefined {
    return this.#byName?.get(name);
  }

  get rows(): readonly T[] {
    return this.#byName === null ? [] : [...this.#byName.values()];
  }
}

type Amounts = Omit<BalanceChange, 'account' | 'day'>;

/** What changes with a record. @throws RangeError for an amount that no sum may contain */
function toBalanceChange(before: UsageRow | null, after: UsageRow | null): Amounts {
  const tokens = toTokens(after) - toTokens(before);
  const nano_usd = toNanoUsd(after) - toNanoUsd(before);
  const reserved_tokens = (after?.reserved_tokens ?? 0) - (before?.reserved_tokens ?? 0);
  const reserved_nano_usd = (after?.reserved_nano_usd ?? 0) - (before?.reserved_nano_usd ?? 0);
  const isWhole =
    Number.isSafeInteger(tokens) &&
    Number.isSafeInteger(nano_usd) &&
    Number.isSafeInteger(reserved_tokens) &&
    Number.isSafeInteger(reserved_nano_usd);
  if (!isWhole) throw new RangeError('A usage record has amounts that are no whole numbers.');
  return { tokens, nano_usd, reserved_tokens, reserved_nano_usd };
}

function toTokens(row: UsageRow | null): number {
  return row?.is_counted === 1 ? row.tokens_in + row.tokens_out : 0;
}

function toNanoUsd(row: UsageRow | null): number {
  return row?.is_counted === 1 ? (row.cost_nano_usd ?? 0) : 0;
}

function addBalances(a: BalanceChange, b: BalanceChange): BalanceChange {
  return {
    account: a.account,
    day: a.day,
    tokens: add(a.tokens, b.tokens),
    nano_usd: add(a.nano_usd, b.nano_usd),
    reserved_tokens: add(a.reserved_tokens, b.reserved_tokens),
    reserved_nano_usd: add(a.reserved_nano_usd, b.reserved_nano_usd),
  };
}

/** The share of a request that has ended. */
function toShare(row: UsageRow, sign: 1 | -1): Share {
  const { at, first_byte_ms: firstByteMs, cost_nano_usd: cost } = row;
  const hasFirstByte = firstByteMs !== null;
  // A complete reply comes at once: only streams have a rest.
  const hasRest = hasFirstByte && row.is_streamed === 1;
  return {
    key_id: row.key_id,
    member_id: row.member_id,
    day: row.day,
    hour: at - (at % hourMs),
    model: row.model,
    upstream: row.upstream ?? '',
    status: row.status,
    requests: sign,
    errors: row.status >= 400 ? sign : 0,
    tokens_in: sign * row.tokens_in,
    tokens_out: sign * row.tokens_out,
    tokens_cached: sign * row.tokens_cached,
    tokens_cache_written: sign * row.tokens_cache_written,
    cost_nano_usd: sign * (cost ?? 0),
    priced: cost === null ? 0 : sign,
    first_byte_ms: sign * (firstByteMs ?? 0),
    first_bytes: hasFirstByte ? sign : 0,
    rest_ms: hasRest ? sign * Math.max(0, row.duration_ms - firstByteMs) : 0,
    rest_tokens_out: hasRest ? sign * row.tokens_out : 0,
    rests: hasRest ? sign : 0,
  };
}

function addShares(a: Share, b: Share): Share {
  return {
    ...a,
    requests: add(a.requests, b.requests),
    errors: add(a.errors, b.errors),
    tokens_in: add(a.tokens_in, b.tokens_in),
    tokens_out: add(a.tokens_out, b.tokens_out),
    tokens_cached: add(a.tokens_cached, b.tokens_cached),
    tokens_cache_written: add(a.tokens_cache_written, b.tokens_cache_written),
    cost_nano_usd: add(a.cost_nano_usd, b.cost_nano_usd),
    priced: add(a.priced, b.priced),
    first_byte_ms: add(a.first_byte_ms, b.first_byte_ms),
    first_bytes: add(a.first_bytes, b.first_bytes),
    rest_ms: add(a.rest_ms, b.rest_ms),
    rest_tokens_out: add(a.rest_tokens_out, b.rest_tokens_out),
    rests: add(a.rests, b.rests),
  };
}

/** Sums end at the highest whole number that a JavaScript number holds exactly. */
function add(a: number, b: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(a + b, Number.MAX_SAFE_INTEGER));
}

function addCounts(a: RejectionRow, b: RejectionRow): RejectionRow {
  return { ...a, count: a.count + b.count };
}

function toLater(a: UsedKey, b: UsedKey): UsedKey {
  return a.used_at > b.used_at ? a : b;
}

function toLast<T>(_before: T, row: T): T {
  return row;
}
