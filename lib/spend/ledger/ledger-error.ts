import { toErrorCode } from '#lib/storage/storage-error.ts';
import type { Books, Reads } from './books.ts';

/** Runs transactions of the ledger, one at a time, on a connection of their own. */
export type LedgerTransactions = Readonly<{
  /**
   * Takes the locks, reads, lets the books be changed, and writes what has changed: all of it or nothing. After a
   * conflict with another transaction it begins again. @throws LedgerError
   */
  run: (reads: Reads, change: (books: Books) => void) => Promise<void>;
  /** Those beside it, for what has to be on the disk, where `run` does not wait for that. */
  durable?: LedgerTransactions;
  close: () => Promise<void>;
}>;

/** A transaction that has failed. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  /** The response to its COMMIT was lost: it may have been written. */
  readonly isOutcomeUnknown: boolean;
  /** An entry is at fault, and not the database. */
  readonly isOfEntry: boolean;

  constructor(
    cause: unknown,
    options: Partial<Pick<LedgerError, 'isOutcomeUnknown' | 'isOfEntry'>> = {},
  ) {
    super('A transaction of the ledger has failed.', { cause });
    this.isOutcomeUnknown = options.isOutcomeUnknown ?? false;
    this.isOfEntry = options.isOfEntry ?? false;
  }
}

/**
 * Whether an entry is at fault, and not the database: a bug of ours, SQLSTATE classes 22 and 23, or SQLite's TOOBIG,
 * CONSTRAINT and MISMATCH.
 */
export function isOfEntry(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  return /^(?:2[23]\w{3}|SQLITE_(?:18|19|20))$/.test(toErrorCode(error));
}
