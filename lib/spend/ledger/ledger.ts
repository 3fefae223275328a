import { LRUCache } from 'lru-cache';
import { boundEntries } from '#lib/http/bound-entries.ts';
import {
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
import { GroupCommits, type GroupCommitsOptions } from './group-commits.ts';
import { type CountedKey, type CountedRequest, createRequestCounter } from './request-counts.ts';
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
  /** Counts a request that has no record. It may get lost while the database is away. */
  reject: (rejection: Rejection, request?: CountedRequest) => void;
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
const usedKeysMax = 10_000;

export function createLedger(options: LedgerOptions): Ledger {
  const commits = new GroupCommits(options);
  const { log, now = Date.now } = options;
  const usedKeys = new LRUCache<string, number>(boundEntries(usedKeysMax));
  const cancel = (id: string) => commits.store(toCancelEntry(id));

  /** Whether the time of this request is to be written as that of its key’s last use. */
  function marksKey({ keyId, at }: UsageRecord): boolean {
    if (at < (usedKeys.get(keyId) ?? 0) + usedEveryMs) return false;
    usedKeys.set(keyId, at);
    return true;
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
    reject(rejection, request) {
      commits
        .ask(toRejectionEntry(rejection, request))
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
