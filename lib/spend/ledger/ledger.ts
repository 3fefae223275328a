import {
  type CountedKey,
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

/** Group commit: one transaction is under way, and what arrives meanwhile shares the next one. */
export function createLedger(options: GroupCommitsOptions): Ledger {
  const commits = new GroupCommits(options);
  const { log } = options;
  const cancel = (id: string) => commits.store(toCancelEntry(id));
  return {
    count: (key) => commits.ask(toCountEntry(key)),
    reject(rejection) {
      commits.ask(toRejectionEntry(rejection)).catch(() => {});
    },
    reserve: (id, reserve) => commits.ask(toReserveEntry(reserve), () => cancel(id)),
    // The end frees what the database has reserved, known here or not.
    extend: (extension) => commits.ask(toExtendEntry(extension)),
    renew: (records) => commits.ask(toRenewEntry(records)),
    end(record) {
      commits.store(toEndEntry(record), (code) => {
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
