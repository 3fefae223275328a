import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';
import { StorageError, toErrorCode, toLogFields } from '#lib/storage/storage-error.ts';
import { channels } from '#lib/telemetry/channels.ts';
import type { Reads } from './books.ts';
import type { Entry } from './entries.ts';
import { LedgerError, type LedgerTransactions } from './ledger-error.ts';

export type GroupCommitsOptions = Readonly<{
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

/** Each locks up to five names: PostgreSQL has room for 7,000 locks unless it is given more. */
const groupMax = 100;
/** While the database is away: how often it is tried, and how long nothing else waits for it. */
const retryMs = 500;

/** One transaction is under way, and what arrives meanwhile shares the next one. */
export class GroupCommits {
  readonly #options: GroupCommitsOptions;
  /** Entries that wait for a response. */
  readonly #asking: Waiting[] = [];
  /** Ends, which are stored whenever that is possible. */
  #ends: Waiting[] = [];
  #running: Promise<void> | null = null;
  #failure: LedgerError | null = null;
  #failedAt = Number.NEGATIVE_INFINITY;
  #retry: NodeJS.Timeout | undefined;

  /** Ends of requests that ask here, where others store them. */
  readonly #durable: GroupCommits | null;

  constructor(options: GroupCommitsOptions) {
    const { durable } = options.transactions;
    this.#options = options;
    this.#durable = durable ? new GroupCommits({ ...options, transactions: durable }) : null;
  }

  /** Why no request is let in: the database has just failed, or ends wait for it. */
  get failure(): LedgerError | null {
    const isRecent = performance.now() - this.#failedAt < retryMs;
    return isRecent || this.#ends.length > 0 ? this.#failure : null;
  }

  /**
   * For what waits for a response. @param onUnknown the transaction may have been written
   * @throws StorageError while the database is away
   */
  ask<T>(entry: Entry<T>, onUnknown: () => void = () => {}): Promise<T> {
    const failure = this.failure ?? this.#durable?.failure ?? null;
    if (failure !== null) return Promise.reject(toStorageError(failure));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#asking.push({
      ...entry,
      // The result of this entry.
      resolve: (result) => resolve(result as T),
      reject(error) {
        if (error.isOutcomeUnknown) onUnknown();
        reject(error.isOfEntry ? error.cause : toStorageError(error));
        return true;
      },
    });
    void this.#run();
    return promise;
  }

  /** For ends, which are stored again and again until they are in. @param onFault the entry itself cannot be stored */
  store(entry: Entry<void>, onFault: (code: string) => void = () => {}): void {
    if (this.#durable !== null) {
      this.#durable.store(entry, onFault);
      return;
    }
    this.#ends.push({
      ...entry,
      resolve() {},
      reject(error) {
        if (error.isOfEntry) onFault(toErrorCode(error.cause));
        return error.isOfEntry;
      },
    });
    this.#publishWaiting();
    if (this.#failure === null) void this.#run();
    else this.#runLater();
  }

  /** Resolves once all ends of before are in, or the database does not take them. */
  async flush(): Promise<void> {
    await this.#run();
    await this.#durable?.flush();
  }

  /** Stores what waits, if the database takes it. */
  async close(): Promise<void> {
    const { closeWithinMs = 5_000, log } = this.#options;
    const deadline = performance.now() + closeWithinMs;
    await this.#running;
    await this.#durable?.close();
    while (this.#ends.length > 0 && performance.now() < deadline) {
      await this.#run();
      if (this.#ends.length > 0) await delay(retryMs / 2);
    }
    clearTimeout(this.#retry);
    const records = this.#ends.length;
    if (records > 0) log.error({ records }, 'usage is not stored: leases end what it leaves open');
  }

  #publishWaiting(): void {
    if (this.#durable === null) channels.ledgerWaiting.publish(this.#ends.length);
  }

  #run(): Promise<void> {
    if (this.#running === null && this.#asking.length + this.#ends.length > 0)
      this.#running = this.#runAll();
    return this.#running ?? Promise.resolve();
  }

  #runLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      void this.#run();
    }, retryMs).unref();
  }

  async #runAll(): Promise<void> {
    let isAway = false;
    while (!isAway && this.#asking.length + this.#ends.length > 0) {
      // Requests that came in together ask in one go; ends that arrive in this turn of the event loop share a transaction.
      if (this.#asking.length === 0) await nextTurn();
      else await new Promise<void>((resolve) => process.nextTick(resolve));
      const group = this.#ends.splice(0, groupMax).concat(this.#asking.splice(0, groupMax));
      isAway = !(await this.#commit(group));
    }
    // In this turn: what arrives from now on begins anew.
    this.#running = null;
    if (this.#ends.length > 0) this.#runLater();
  }

  /** False: the database is away. */
  async #commit(group: readonly Waiting[]): Promise<boolean> {
    const startedAt = performance.now();
    let results: readonly unknown[] = [];
    try {
      await this.#options.transactions.run(toReads(group), (books) => {
        results = group.map(({ apply }) => apply(books));
      });
    } catch (error) {
      return this.#fail(group, error instanceof LedgerError ? error : new LedgerError(error));
    }
    const durationMs = performance.now() - startedAt;
    channels.ledgerCommitted.publish({ entries: group.length, durationMs });
    if (this.#failure !== null) this.#options.log.info({}, 'usage can be stored again');
    this.#failure = null;
    group.forEach((waiting, index) => {
      waiting.resolve(results[index]);
    });
    this.#publishWaiting();
    return true;
  }

  async #fail(group: readonly Waiting[], error: LedgerError): Promise<boolean> {
    // One entry is at fault: it fails alone.
    if (error.isOfEntry && group.length > 1) {
      for (const [index, waiting] of group.entries()) {
        if (await this.#commit([waiting])) continue;
        this.#rejectAll(group.slice(index + 1), new LedgerError(this.#failure?.cause));
        return false;
      }
      return true;
    }
    if (!error.isOfEntry) {
      if (this.#failure === null) {
        const fields = { reason: 'usage_not_stored', ...toLogFields(error.cause) };
        this.#options.log.warn(fields, 'usage cannot be stored: new requests get a 503');
      }
      this.#failure = error;
      // However long it took: what arrives before the group has ended would be left behind.
      this.#failedAt = performance.now();
      // They would wait for the same.
      this.#rejectAll(this.#asking.splice(0), new LedgerError(error.cause));
    }
    this.#rejectAll(group, error);
    this.#publishWaiting();
    return error.isOfEntry;
  }

  #rejectAll(group: readonly Waiting[], error: LedgerError): void {
    const again = group.filter((waiting) => !waiting.reject(error));
    this.#ends = [...again, ...this.#ends];
  }
}

function toReads(group: readonly Waiting[]): Reads {
  const all = group.map(({ reads }) => reads);
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0) return only;
  const spans = all.flatMap((reads) => reads.spans);
  const counted = Map.groupBy(
    all.flatMap((reads) => reads.counted),
    ({ key_id }) => key_id,
  );
  return {
    spans: [...new Map(spans.map((span) => [Object.values(span).join(' '), span])).values()],
    recordIds: [...new Set(all.flatMap(({ recordIds }) => recordIds))],
    newIds: all.flatMap(({ newIds }) => newIds),
    counted: [...counted].map(([key_id, counts]) => ({
      key_id,
      count: counts.reduce((sum, { count }) => sum + count, 0),
    })),
    expiredMax: Math.max(...all.map(({ expiredMax }) => expiredMax)),
  };
}

function toStorageError({ cause }: LedgerError): StorageError {
  if (cause instanceof StorageError) return cause;
  return new StorageError('The database does not respond.', { code: toErrorCode(cause), cause });
}
