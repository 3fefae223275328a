import type { LedgerTransactions } from './ledger-error.ts';
import { createPostgresTransactions } from './postgres-transactions.ts';
import { createSqliteTransactions } from './sqlite-transactions.ts';

type Options = Readonly<{
  /** `postgres://…`, or null for the embedded database in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** Makes sure that the tables are there. */
  open: () => Promise<void>;
  /** Unix ms. */
  now: () => number;
}>;

export function createTransactions({ databaseUrl, ...options }: Options): LedgerTransactions {
  return databaseUrl === null
    ? createSqliteTransactions(options)
    : createPostgresTransactions({ ...options, databaseUrl });
}
