import { type AccountUse, type Span, toAccounts } from '../budgets.ts';
import { add, addSums, requireWhole, type Sums, toSums } from './sums.ts';
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

type ModelSums = Sums & Readonly<{ model: string; upstream: string }>;

/** What a transaction writes: amounts are added to what is there, records replace it. */
export type Writes = Readonly<{
  balances: readonly BalanceChange[];
  records: readonly UsageRow[];
  removed: readonly Readonly<{ id: string }>[];
  /** Records under way, as they stand, with new leases. */
  progress: readonly UsageRow[];
  sumsByKey: readonly (ModelSums & Readonly<{ key_id: string; day: string }>)[];
  sumsByMember: readonly (ModelSums & Readonly<{ member_id: string; day: string }>)[];
  sumsByHour: readonly (ModelSums & Readonly<{ hour: number; status: number }>)[];
  usedKeys: readonly Readonly<{ id: string; used_at: number }>[];
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
  /** By account. */
  readonly #spans = new Map<string, OpenSpan[]>();
  readonly #records = new Map<string, UsageRow>();
  readonly #written = new Set<string>();
  readonly #removed = new Set<string>();
  readonly #progress: UsageRow[] = [];
  readonly #balances = new Map<string, BalanceChange>();
  readonly #byKey = new Map<string, Writes['sumsByKey'][number]>();
  readonly #byMember = new Map<string, Writes['sumsByMember'][number]>();
  readonly #byHour = new Map<string, Writes['sumsByHour'][number]>();
  readonly #usedKeys = new Map<string, number>();
  readonly #counted = new Map<string, Counted>();
  readonly #rejections = new Map<string, RejectionRow>();
  readonly #setAside: Writes['setAside'][number][] = [];

  constructor({ spans, counted }: Pick<Reads, 'spans' | 'counted'>, state: LedgerState) {
    this.now = state.now;
    this.expired = state.expired;
    for (const [index, use] of state.uses.entries()) {
      const span = spans[index];
      if (span === undefined) continue;
      const known = this.#spans.get(span.account);
      if (known === undefined) this.#spans.set(span.account, [{ ...span, use }]);
      else known.push({ ...span, use });
    }
    for (const row of [...state.records, ...state.expired]) this.#records.set(row.id, row);
    for (const after of state.counts) {
      const count = counted.find(({ key_id }) => key_id === after.key_id)?.count ?? 0;
      this.#counted.set(after.key_id, { now: state.now, after, count });
    }
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
    return this.#records.get(id);
  }

  /** Replaces a record, or the absence of one, and its share in balances and sums. @param after null: it is removed */
  replaceRecord(before: UsageRow | undefined, after: UsageRow | null): void {
    if (before !== undefined) this.#addShare(before, -1);
    if (after === null) {
      if (before === undefined) return;
      this.#records.delete(before.id);
      this.#written.delete(before.id);
      this.#removed.add(before.id);
      return;
    }
    this.#addShare(after, 1);
    this.#records.set(after.id, after);
    this.#written.add(after.id);
  }

  /** Stores a record under way as it stands now. One that was closed meanwhile is left alone. */
  addProgress(row: UsageRow): void {
    this.#progress.push(row);
  }

  /** The requests of a key that were counted. */
  countedOf(keyId: string): Counted {
    const counted = this.#counted.get(keyId);
    if (counted === undefined) throw new TypeError('The requests of a key were not counted.');
    return counted;
  }

  addRejection(row: RejectionRow): void {
    const count = (this.#rejections.get(row.id)?.count ?? 0) + row.count;
    this.#rejections.set(row.id, { ...row, count });
  }

  /** A record that cannot be counted, as JSON; `reason` is an error's code. */
  setAside(row: Writes['setAside'][number]): void {
    this.#setAside.push(row);
  }

  get writes(): Writes {
    const rows = (ids: ReadonlySet<string>) =>
      [...ids].flatMap((id) => this.#records.get(id) ?? []);
    return {
      balances: [...this.#balances.values()],
      records: rows(this.#written),
      removed: [...this.#removed].map((id) => ({ id })),
      progress: this.#progress,
      sumsByKey: [...this.#byKey.values()],
      sumsByMember: [...this.#byMember.values()],
      sumsByHour: [...this.#byHour.values()],
      usedKeys: [...this.#usedKeys].map(([id, used_at]) => ({ id, used_at })),
      rejections: [...this.#rejections.values()],
      setAside: this.#setAside,
    };
  }

  #addShare(row: UsageRow, sign: 1 | -1): void {
    const isCounted = row.is_counted === 1;
    const { day } = row;
    this.#addToBalances(row, {
      day,
      tokens: isCounted ? sign * (row.tokens_in + row.tokens_out) : 0,
      nano_usd: isCounted ? sign * (row.cost_nano_usd ?? 0) : 0,
      reserved_tokens: sign * row.reserved_tokens,
      reserved_nano_usd: sign * row.reserved_nano_usd,
    });
    if (!isCounted) return;
    const { key_id, member_id, model, status, at } = row;
    const sums = toSums(row, sign);
    const upstream = row.upstream ?? '';
    const of = JSON.stringify([model, upstream]);
    addSums(this.#byKey, `${key_id} ${day} ${of}`, { key_id, day, model, upstream, ...sums });
    if (member_id !== null) {
      const name = `${member_id} ${day} ${of}`;
      addSums(this.#byMember, name, { member_id, day, model, upstream, ...sums });
    }
    const hour = at - (at % hourMs);
    addSums(this.#byHour, `${hour} ${status} ${of}`, { hour, status, model, upstream, ...sums });
    if (sign === 1) this.#usedKeys.set(key_id, Math.max(at, this.#usedKeys.get(key_id) ?? 0));
  }

  #addToBalances(row: UsageRow, change: Omit<BalanceChange, 'account'>): void {
    const { tokens, nano_usd, reserved_tokens, reserved_nano_usd } = change;
    requireWhole([tokens, nano_usd, reserved_tokens, reserved_nano_usd]);
    const payer = { keyId: row.key_id, memberId: row.member_id, groupName: row.group_name };
    for (const account of toAccounts(payer)) {
      // A blank is part of no day.
      const name = `${account} ${change.day}`;
      const sum = this.#balances.get(name);
      this.#balances.set(name, {
        account,
        day: change.day,
        tokens: add(sum?.tokens ?? 0, change.tokens),
        nano_usd: add(sum?.nano_usd ?? 0, change.nano_usd),
        reserved_tokens: add(sum?.reserved_tokens ?? 0, change.reserved_tokens),
        reserved_nano_usd: add(sum?.reserved_nano_usd ?? 0, change.reserved_nano_usd),
      });
      this.#addToUses(account, change);
    }
  }

  #addToUses(account: string, change: Omit<BalanceChange, 'account'>): void {
    for (const span of this.#spans.get(account) ?? []) {
      if (change.day < span.firstDay || change.day > span.lastDay) continue;
      const { use } = span;
      span.use = {
        tokens: use.tokens + change.tokens,
        nanoUsd: use.nanoUsd + change.nano_usd,
        reservedTokens: use.reservedTokens + change.reserved_tokens,
        reservedNanoUsd: use.reservedNanoUsd + change.reserved_nano_usd,
      };
    }
  }
}
