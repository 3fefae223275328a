import { hourMs } from '#lib/storage/days.ts';
import { sums } from '#lib/storage/tables/account-tables.ts';
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
type RejectionRow = Readonly<{
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
  /** Of records that it begins: nobody has them yet, so they are only locked. */
  newIds: readonly string[];
  /** How many requests of each key are counted. */
  counted: readonly Readonly<{ key_id: string; count: number }>[];
  /** How many records whose lease has expired. */
  expiredMax: number;
}>;

export const noReads: Reads = {
  spans: [],
  recordIds: [],
  newIds: [],
  counted: [],
  expiredMax: 0,
};

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
type BalanceChange = Readonly<{
  account: string;
  day: string;
  tokens: number;
  nano_usd: number;
  reserved_tokens: number;
  reserved_nano_usd: number;
}>;

/** What a request that has ended adds to the three tables of sums: of a key and a member by day, of the site by hour. */
type Share = Pick<UsageRow, 'key_id' | 'member_id' | 'day' | 'model' | 'status'> &
  Readonly<{ hour: number; upstream: string }> &
  Record<keyof typeof sums, number>;

/** A row of each table that a transaction may write, with the columns of that table. */
type WrittenRows = {
  balances: BalanceChange;
  removed: Readonly<{ id: string }>;
  records: UsageRow;
  /** Records under way, as they stand, with new leases. One that was closed meanwhile is left alone. */
  progress: UsageRow;
  sumsByKey: Share;
  sumsByMember: Share;
  sumsByHour: Share;
  /** The last use of keys. */
  usedKeys: Readonly<{ id: string; used_at: number }>;
  rejections: RejectionRow;
  /** Requests that were rejected. Only the first of a key and minute are stored. */
  rejected: UsageRow;
  /** Records that cannot be counted, as JSON; `reason` is an error's code. */
  setAside: Readonly<{ id: string; reason: string; record: string }>;
};

/** What a transaction writes: rows by their names, of few tables. */
export type Writes = { [table in keyof WrittenRows]?: Map<string, WrittenRows[table]> };

type Merge<Row> = (before: Row, row: Row) => Row;

/** Adds these columns of two rows. */
function toAddition<Name extends string>(names: readonly Name[]) {
  return <Row extends Readonly<Record<Name, number>>>(before: Row, row: Row): Row => {
    const both = { ...before };
    const amounts: Record<Name, number> = both;
    for (const name of names) amounts[name] = addAmounts(before[name], row[name]);
    return both;
  };
}

const addShares = toAddition(Object.keys(sums) as (keyof typeof sums)[]);

/** Amounts of rows of one name are added; of others the last one counts. */
const merges: { readonly [table in keyof WrittenRows]?: Merge<WrittenRows[table]> } = {
  balances: toAddition(['tokens', 'nano_usd', 'reserved_tokens', 'reserved_nano_usd']),
  sumsByKey: addShares,
  sumsByMember: addShares,
  sumsByHour: addShares,
  rejections: toAddition(['count']),
};

/** A span that was read, with its use as it is now. */
type OpenSpan = Span & { use: AccountUse };

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
  readonly writes: Writes = {};

  constructor({ spans, counted }: Pick<Reads, 'spans' | 'counted'>, state: LedgerState) {
    this.now = state.now;
    this.expired = state.expired;
    this.#counted = counted;
    this.#state = state;
    const open = spans.map((span, index) => ({ ...span, use: state.uses[index] ?? nothing }));
    this.#spans = Map.groupBy(open, ({ account }) => account);
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
    const { records, removed } = this.writes;
    const changed = records?.get(id);
    if (changed !== undefined || removed?.has(id)) return changed;
    const isWanted = (row: UsageRow) => row.id === id;
    return this.#state.records.find(isWanted) ?? this.expired.find(isWanted);
  }

  /** Replaces a record, or the absence of one, and its share in balances and sums. @param after null: it is removed */
  replaceRecord(before: UsageRow | undefined, after: UsageRow | null): void {
    const row = before ?? after;
    if (row === null) return;
    this.#changeBalances(row, toBalanceChange(before ?? null, after));
    if (before?.is_counted === 1) this.#addShare(before, -1);
    if (after?.is_counted === 1) this.#addShare(after, 1);
    if (after !== null) {
      this.write('records', row.id, after);
    } else {
      this.writes.records?.delete(row.id);
      this.write('removed', row.id, { id: row.id });
    }
  }

  write<Table extends keyof WrittenRows>(
    table: Table,
    name: string,
    row: WrittenRows[Table],
  ): void {
    const rows: Map<string, WrittenRows[Table]> = this.writes[table] ?? new Map();
    if (rows.size === 0) Reflect.set(this.writes, table, rows);
    const before = rows.get(name);
    const merge = before === undefined ? undefined : merges[table];
    rows.set(name, before === undefined || merge === undefined ? row : merge(before, row));
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

  #changeBalances(row: UsageRow, amounts: Amounts): void {
    const { day } = row;
    const payer = { keyId: row.key_id, memberId: row.member_id, groupName: row.group_name };
    for (const account of toAccounts(payer)) {
      // A blank is part of no day.
      this.write('balances', `${account} ${day}`, {
        account,
        day,
        ...amounts,
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
    this.write('sumsByKey', `${key_id}\0${day}\0${name}`, share);
    if (member_id !== null) this.write('sumsByMember', `${member_id}\0${day}\0${name}`, share);
    this.write('sumsByHour', `${hour}\0${status}\0${name}`, share);
  }
}

const nothing: AccountUse = { tokens: 0, nanoUsd: 0, reservedTokens: 0, reservedNanoUsd: 0 };

type Amounts = Omit<BalanceChange, 'account' | 'day'>;

/** What changes with a record. @throws RangeError for an amount that no sum may contain */
function toBalanceChange(before: UsageRow | null, after: UsageRow | null): Amounts {
  const amounts = {
    tokens: toTokens(after) - toTokens(before),
    nano_usd: toNanoUsd(after) - toNanoUsd(before),
    reserved_tokens: (after?.reserved_tokens ?? 0) - (before?.reserved_tokens ?? 0),
    reserved_nano_usd: (after?.reserved_nano_usd ?? 0) - (before?.reserved_nano_usd ?? 0),
  };
  if (Object.values(amounts).every(Number.isSafeInteger)) return amounts;
  throw new RangeError('A usage record has amounts that are no whole numbers.');
}

function toTokens(row: UsageRow | null): number {
  return row?.is_counted === 1 ? row.tokens_in + row.tokens_out : 0;
}

function toNanoUsd(row: UsageRow | null): number {
  return row?.is_counted === 1 ? (row.cost_nano_usd ?? 0) : 0;
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

/** Sums end at the highest whole number that a JavaScript number holds exactly. */
export const amountMax = Number.MAX_SAFE_INTEGER;

export function addAmounts(a: number, b: number): number {
  return Math.max(-amountMax, Math.min(a + b, amountMax));
}
