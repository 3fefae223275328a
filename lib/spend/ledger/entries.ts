import { minuteMs, toUtcDay } from '#lib/storage/days.ts';
import { type AccountLimit, type LimitUse, toSpan } from '../budgets.ts';
import { type Books, noReads, type Reads } from './books.ts';
import { type Demand, decide, type Granted, type Rejected, toReservedAmounts } from './decide.ts';
import type { CountedRequest } from './request-counts.ts';
import {
  toClosedRow,
  toFinalRow,
  toOpenRow,
  toRejectedRow,
  type UsageRecord,
  type UsageRow,
} from './usage-record.ts';

/** One change of the ledger: what it has to read, and what it then does, without I/O. */
export type Entry<T> = Readonly<{
  reads: Reads;
  apply: (books: Books) => T;
}>;

/** How long a record under way is left alone by other processes after its lease was renewed. */
const leaseMs = 90_000;
/** Records that are closed in one transaction. */
const expiredMax = 100;

/** Counts a request of the minute, also one that is rejected by it. */
export function toCountEntry(request: CountedRequest): Entry<void> {
  return {
    reads: { ...noReads, counted: request.counts },
    apply: (books) => void request.countIn(books),
  };
}

/** @param isListed it may be one of the few of its key and minute that are stored, not only counted */
export function toRejectionEntry(
  record: UsageRecord,
  isListed: boolean,
  request?: CountedRequest,
): Entry<void> {
  const { id, keyId, at, status, errorCode } = record;
  const code = errorCode ?? '';
  const minute = at - (at % minuteMs);
  const row = {
    id: [minute, keyId, status, code].join(' '),
    key_id: keyId,
    at: minute,
    day: toUtcDay(at),
    status,
    code,
    count: 1,
  };
  return {
    reads: {
      ...noReads,
      // Another process may store some of the same minute.
      newIds: isListed ? [`rejected:${keyId}`] : [],
      counted: request?.counts ?? [],
    },
    apply(books) {
      request?.countIn(books);
      books.write('rejections', row.id, row);
      if (isListed) books.write('rejected', id, toRejectedRow(record));
    },
  };
}

/** What a request asks for. */
export type Reserve = Readonly<{
  limits: readonly AccountLimit[];
  /** When the request arrived, Unix ms: its day is charged. */
  at: number;
  demand: Demand;
  /** The record as it is charged if the process dies before its end. */
  toRecord: (granted: Granted) => UsageRecord;
  /** Left out where it is counted already. */
  request?: CountedRequest;
}>;

/** Before the reservation. */
type Uses = Readonly<{ uses: readonly LimitUse[] }>;

/** With the record as it is stored. */
export type GrantedReservation = Uses & Readonly<{ decision: Granted; record: UsageRecord }>;

export type Reserved = GrantedReservation | (Uses & Readonly<{ decision: Rejected; record: null }>);

/** Decides, and opens the record with what it has reserved. Null: the minute has no request left. */
export function toReserveEntry(
  id: string,
  { limits, at, demand, toRecord, request }: Reserve,
): Entry<Reserved | null> {
  return {
    // Nobody else has the record, but its cancellation waits for a reservation whose connection is lost.
    reads: { ...noReads, spans: toSpans(limits, at), newIds: [id], counted: request?.counts ?? [] },
    apply(books) {
      if (request?.countIn(books) === false) return null;
      const uses = toUses(books, limits, at);
      const decision = decide(demand, uses);
      if (decision.outcome !== 'granted') return { decision, uses, record: null };
      const record = toRecord(decision);
      const reserved = toReservedAmounts(decision, demand);
      books.replaceRecord(undefined, toOpenRow(record, reserved, books.now + leaseMs));
      return { decision, uses, record };
    },
  };
}

/** More of the reply. */
export type Extension = Readonly<{
  id: string;
  limits: readonly AccountLimit[];
  at: number;
  demand: Demand;
}>;

/** Reserves more for a record under way. Returns how many tokens. */
export function toExtendEntry({ id, limits, at, demand }: Extension): Entry<number> {
  return {
    reads: { ...noReads, spans: toSpans(limits, at), recordIds: [id] },
    apply(books) {
      const row = books.findRecord(id);
      // Closed by another process, which has charged it.
      if (row === undefined || row.lease_until === null) return 0;
      const decision = decide(demand, toUses(books, limits, at));
      if (decision.outcome !== 'granted') return 0;
      const { tokens, nanoUsd } = toReservedAmounts(decision, demand);
      books.replaceRecord(row, {
        ...row,
        reserved_tokens: row.reserved_tokens + tokens,
        reserved_nano_usd: row.reserved_nano_usd + nanoUsd,
      });
      return decision.outputTokens;
    },
  };
}

/** Records under way as they stand, with new leases. */
export function toRenewEntry(records: readonly UsageRecord[]): Entry<void> {
  return {
    reads: noReads,
    apply(books) {
      for (const record of records) {
        const row = toOpenRow(record, { tokens: 0, nanoUsd: 0 }, books.now + leaseMs);
        books.write('progress', row.id, row);
      }
    },
  };
}

/**
 * Writes the end of a record. The first end wins, so it may be stored again; a record that another process has closed as
 * it stood is corrected. @param marksKey as used at its time
 */
export function toEndEntry(record: UsageRecord, marksKey: boolean): Entry<void> {
  return {
    reads: { ...noReads, recordIds: [record.id] },
    apply(books) {
      const before = books.findRecord(record.id);
      if (before?.is_final === 1) return;
      books.replaceRecord(before, withPayer(toFinalRow(record), before));
      if (marksKey) noteUse(books, record.keyId, record.at);
    },
  };
}

/** Removes the record of a request that was never sent. */
export function toCancelEntry(id: string): Entry<void> {
  return {
    reads: { ...noReads, recordIds: [id] },
    apply: (books) => books.replaceRecord(books.findRecord(id), null),
  };
}

/** Puts a record aside that cannot be counted. @param reason the error's code */
export function toSetAsideEntry(record: UsageRecord, reason: string): Entry<void> {
  const { id } = record;
  return {
    reads: noReads,
    apply: (books) => books.write('setAside', id, { id, reason, record: JSON.stringify(record) }),
  };
}

/** Closes records, as they stand, whose lease has expired. Returns how many there were, and whether there may be more. */
export function toCloseEntry(): Entry<Readonly<{ closed: number; mayBeMore: boolean }>> {
  return {
    reads: { ...noReads, expiredMax },
    apply(books) {
      for (const { id } of books.expired) {
        const row = books.findRecord(id);
        // It may have ended in this transaction.
        if (row !== undefined && row.lease_until !== null) {
          books.replaceRecord(row, toClosedRow(row));
          noteUse(books, row.key_id, row.at);
        }
      }
      const closed = books.expired.length;
      return { closed, mayBeMore: closed === expiredMax };
    },
  };
}

function toSpans(limits: readonly AccountLimit[], at: number) {
  const day = toUtcDay(at);
  return limits.map((limit) => toSpan(limit, day));
}

function toUses(books: Books, limits: readonly AccountLimit[], at: number): readonly LimitUse[] {
  const day = toUtcDay(at);
  return limits.map((limit) => ({ limit, ...books.useOf(toSpan(limit, day)) }));
}

function noteUse(books: Books, id: string, used_at: number): void {
  books.write('usedKeys', id, { id, used_at });
}

/** Who pays stays as it was: the ids of a member who was deleted meanwhile are erased. */
function withPayer(row: UsageRow, before: UsageRow | undefined): UsageRow {
  if (before === undefined) return row;
  const { key_id, member_id, group_name } = before;
  return { ...row, key_id, member_id, group_name };
}
