import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';
import { StorageError, toErrorCode, toLogFields } from '#lib/storage/storage-error.ts';
import { channels } from '#lib/telemetry/channels.ts';
import type { Reads } from './books.ts';
import {
  type CountedKey,
  type Entry,
  type Extension,
  type Rejection,
  type Reserve,
  type Reserved,
  toCancelEntry,
  toCloseEntry,
  toCountEntry,
  toEndEntry,
  toExtendEntry,
  toRejectionEntry,
  toRenewEntry,
  toReserveEntry,
  toSetAsideEntry,
} from './entries.ts';
import { LedgerError, type LedgerTransactions } from './ledger-error.ts';
import type { RequestsDecision } from './request-counts.ts';
import type { UsageRecord } from './usage-record.ts';

/**
 * The one place that changes usage records and balances for requests. What waits for a response rejects with a
 * StorageError while the database is away; ends are stored again and again until they are in.
 */
export type Ledger = Readonly<{
  count: (key: CountedKey) => Promise<RequestsDecision>;
  /** Counts a request that has no record. It may get lost while the database is away. */
  reject: (rejection: Rejection) => void;
  /** @param id of the record */
  reserve: (id: string, reserve: Reserve) => Promise<Reserved>;
  /** Returns how many more tokens of the reply are reserved. */
  extend: (extension: Extension) => Promise<number>;
  renew: (records: readonly UsageRecord[]) => Promise<void>;
  end: (record: UsageRecord) => void;
  /** Removes the record of a request that was never sent. */
  cancel: (id: string) => void;
  /** Closes, as they stood, the records whose lease has expired. Returns how many. */
  closeExpired: () => Promise<number>;
  /** Resolves once all ends of before are in, or the database does not take them. */
  flush: () => Promise<void>;
  /** Stores what waits, if the database takes it. */
  close: () => Promise<void>;
}>;

type LedgerOptions = Readonly<{
  transactions: LedgerTransactions;
  log: Log;
  /** How long `close` tries to store ends, ms. */
  closeWithinMs?: number;
}>;

/** What waits for its transaction. */
type Waiting = Readonly<{
  reads: Reads;
  apply: Entry<unknown>['apply'];
  /** The transaction is committed. */
  resolve: (result: unknown) => void;
  /** It has failed. False: the entry is to be stored again. */
  reject: (error: LedgerError) => boolean;
}>;

const groupMax = 200;
/** While the database is away: how often it is tried, and how long nothing else waits for it. */
const retryMs = 500;

/** Group commit: one transaction is under way, and what arrives meanwhile shares the next one. */
export function createLedger(options: LedgerOptions): Ledger {
  const { transactions, log, closeWithinMs = 5_000 } = options;
  /** Entries that wait for a response. */
  const asking: Waiting[] = [];
  /** Ends, which are stored whenever that is possible. */
  let ends: Waiting[] = [];
  let running: Promise<void> | null = null;
  let failure: LedgerError | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  let retry: NodeJS.Timeout | undefined;

  function run(): Promise<void> {
    if (running === null && asking.length + ends.length > 0) running = runAll();
    return running ?? Promise.resolve();
  }

  function runLater(): void {
    retry ??= setTimeout(() => {
      retry = undefined;
      void run();
    }, retryMs).unref();
  }

  async function runAll(): Promise<void> {
    let isAway = false;
    while (!isAway && asking.length + ends.length > 0) {
      // What arrives in this turn of the event loop shares the transaction.
      await nextTurn();
      const group = [...ends.splice(0, groupMax), ...asking.splice(0, groupMax)];
      isAway = !(await commit(group));
    }
    // In this turn: what arrives from now on begins anew.
    running = null;
    if (ends.length > 0) runLater();
  }

  /** False: the database is away. */
  async function commit(group: readonly Waiting[]): Promise<boolean> {
    triedAt = performance.now();
    const results: unknown[] = [];
    try {
      await transactions.run(toReads(group), (books) => {
        results.length = 0;
        for (const { apply } of group) results.push(apply(books));
      });
    } catch (error) {
      return fail(group, error instanceof LedgerError ? error : new LedgerError(error));
    }
    if (failure !== null) log.info({}, 'usage can be stored again');
    failure = null;
    for (const [index, waiting] of group.entries()) waiting.resolve(results[index]);
    channels.ledgerWaiting.publish(ends.length);
    return true;
  }

  async function fail(group: readonly Waiting[], error: LedgerError): Promise<boolean> {
    // One entry is at fault: it fails alone.
    if (error.isOfEntry && group.length > 1) {
      for (const [index, waiting] of group.entries()) {
        if (await commit([waiting])) continue;
        rejectAll(group.slice(index + 1), new LedgerError(failure?.cause));
        return false;
      }
      return true;
    }
    if (!error.isOfEntry) {
      if (failure === null) {
        const fields = { reason: 'usage_not_stored', ...toLogFields(error.cause) };
        log.warn(fields, 'usage cannot be stored: new requests get a 503');
      }
      failure = error;
      // They would wait for the same.
      rejectAll(asking.splice(0), new LedgerError(error.cause));
    }
    rejectAll(group, error);
    channels.ledgerWaiting.publish(ends.length);
    return error.isOfEntry;
  }

  function rejectAll(group: readonly Waiting[], error: LedgerError): void {
    const again = group.filter((waiting) => !waiting.reject(error));
    ends = [...again, ...ends];
  }

  /** @param onUnknown the transaction may have been written */
  function ask<T>(entry: Entry<T>, onUnknown: () => void = () => {}): Promise<T> {
    if (failure !== null && performance.now() - triedAt < retryMs) {
      return Promise.reject(toStorageError(failure));
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    asking.push({
      ...entry,
      // The result of this entry.
      resolve: (result) => resolve(result as T),
      reject(error) {
        if (error.isOutcomeUnknown) onUnknown();
        reject(error.isOfEntry ? error.cause : toStorageError(error));
        return true;
      },
    });
    void run();
    return promise;
  }

  /** @param onFault the entry itself cannot be stored */
  function store(entry: Entry<void>, onFault: (code: string) => void = () => {}): void {
    ends.push({
      ...entry,
      resolve() {},
      reject(error) {
        if (error.isOfEntry) onFault(toErrorCode(error.cause));
        return error.isOfEntry;
      },
    });
    channels.ledgerWaiting.publish(ends.length);
    if (failure === null) void run();
    else runLater();
  }

  function end(record: UsageRecord): void {
    store(toEndEntry(record), (code) => {
      log.error({ reason: 'usage_set_aside', id: record.id, code }, 'a record cannot be counted');
      store(toSetAsideEntry(record, code));
    });
  }

  const cancel = (id: string) => store(toCancelEntry(id));

  return {
    count: (key) => ask(toCountEntry(key)),
    reject(rejection) {
      ask(toRejectionEntry(rejection)).catch(() => {});
    },
    reserve: (id, reserve) => ask(toReserveEntry(reserve), () => cancel(id)),
    // The end frees what the database has reserved, known here or not.
    extend: (extension) => ask(toExtendEntry(extension)),
    renew: (records) => ask(toRenewEntry(records)),
    end,
    cancel,
    async closeExpired() {
      let total = 0;
      for (;;) {
        const { closed, mayBeMore } = await ask(toCloseEntry());
        total += closed;
        if (!mayBeMore) return total;
      }
    },
    async flush() {
      if (ends.length > 0) await run();
      else await running;
    },
    async close() {
      const deadline = performance.now() + closeWithinMs;
      await running;
      while (ends.length > 0 && performance.now() < deadline) {
        await run();
        if (ends.length > 0) await delay(retryMs / 2);
      }
      clearTimeout(retry);
      if (ends.length > 0) {
        log.error({ records: ends.length }, 'usage is not stored: leases end what it leaves open');
      }
    },
  };
}

function toReads(group: readonly Waiting[]): Reads {
  const spans = new Map<string, Reads['spans'][number]>();
  const recordIds = new Set<string>();
  const keyIds = new Set<string>();
  let expiredMax = 0;
  for (const { reads } of group) {
    for (const span of reads.spans) {
      spans.set(`${span.account} ${span.firstDay} ${span.lastDay}`, span);
    }
    for (const id of reads.recordIds) recordIds.add(id);
    for (const id of reads.keyIds) keyIds.add(id);
    expiredMax = Math.max(expiredMax, reads.expiredMax);
  }
  return {
    spans: [...spans.values()],
    recordIds: [...recordIds],
    keyIds: [...keyIds],
    expiredMax,
  };
}

function toStorageError({ cause }: LedgerError): StorageError {
  if (cause instanceof StorageError) return cause;
  return new StorageError('The database does not respond.', { code: toErrorCode(cause), cause });
}
