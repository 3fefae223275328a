import { LRUCache } from 'lru-cache';
import { boundEntries } from '#lib/http/bound-entries.ts';
import { minuteMs } from '#lib/storage/days.ts';
import {
  type Extension,
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
import { GroupCommits, type GroupCommitsOptions } from './group-commits.ts';
import { type CountedKey, type CountedRequest, createRequestCounter } from './request-counts.ts';
import { rejectedMax } from './statements.ts';
import type { UsageRecord } from './usage-record.ts';

/**
 * The one place that changes usage records and balances for requests. What waits for a response rejects with a
 * StorageError while the database is away; ends are stored again and again until they are in.
 */
export type Ledger = Readonly<{
  /** Counts a request of the minute in this process. What stores it next counts it in the database. */
  begin: (key: CountedKey) => CountedRequest;
  /** Stores a request that neither reserves nor is rejected. */
  count: (request: CountedRequest) => Promise<void>;
  /**
   * Counts a request that has used nothing, and stores the first of each key and minute. It may get lost while the
   * database is away.
   */
  reject: (record: UsageRecord, request?: CountedRequest) => void;
  /** Null: the minute has no request left. @param id of the record */
  reserve: (id: string, reserve: Reserve) => Promise<Reserved | null>;
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

type LedgerOptions = GroupCommitsOptions & Readonly<{ /** Unix ms. */ now?: () => number }>;

/** `used_at` of a key that is in use is written once in this time, ms. */
const usedEveryMs = 60_000;
/** Keys that a process remembers. */
const keysMax = 10_000;

export function createLedger(options: LedgerOptions): Ledger {
  const commits = new GroupCommits(options);
  const { log, now = Date.now } = options;
  const usedKeys = new LRUCache<string, number>(boundEntries(keysMax));
  /** How many requests were rejected, by key and minute. */
  const rejected = new LRUCache<string, number>(boundEntries(keysMax));
  const cancel = (id: string) => commits.store(toCancelEntry(id));

  /** Whether the time of this request is to be written as that of its key’s last use. */
  function marksKey({ keyId, at }: UsageRecord): boolean {
    if (at < (usedKeys.get(keyId) ?? 0) + usedEveryMs) return false;
    usedKeys.set(keyId, at);
    return true;
  }

  /** Whether there are few of its key and minute, as far as this process knows. */
  function isListed({ keyId, at }: UsageRecord): boolean {
    const name = `${Math.floor(at / minuteMs)} ${keyId}`;
    const count = (rejected.get(name) ?? 0) + 1;
    rejected.set(name, count);
    return count <= rejectedMax;
  }

  return {
    begin: createRequestCounter(now),
    async count(request) {
      try {
        await commits.ask(toCountEntry(request));
        request.store();
      } finally {
        request.forget();
      }
    },
    reject(record, request) {
      commits
        .ask(toRejectionEntry(record, isListed(record), request))
        .then(() => request?.store())
        .catch(() => request?.forget());
    },
    async reserve(id, reserve) {
      const reserved = await commits.ask(toReserveEntry(id, reserve), () => cancel(id));
      reserve.request?.store();
      return reserved;
    },
    // The end frees what the database has reserved, known here or not.
    extend: (extension) => commits.ask(toExtendEntry(extension)),
    renew: (records) => commits.ask(toRenewEntry(records)),
    end(record) {
      commits.store(toEndEntry(record, marksKey(record)), (code) => {
        log.error({ reason: 'usage_set_aside', id: record.id, code }, 'a record cannot be counted');
        commits.store(toSetAsideEntry(record, code));
      });
    },
    cancel,
    async closeExpired() {
      let total = 0;
      for (;;) {
        const { closed, mayBeMore } = await commits.ask(toCloseEntry());
        total += closed;
        if (!mayBeMore) return total;
      }
    },
    flush: () => commits.flush(),
    close: () => commits.close(),
  };
}
