import { formatNanoUsd } from '#lib/config/budget.ts';
import type { Drift } from '#lib/spend/store/find-drift.ts';
import { type DatabaseOptions, openDatabase } from '#lib/storage/database.ts';
import { hasDatabase, nameDatabase } from '#lib/storage/find-database.ts';
import { toTextTable } from '../terminal.ts';
import { type Finding, ok, problem } from './finding.ts';

/** Recomputes all balances from the usage records. @throws StorageError if the database cannot be read. */
export async function examineBooks({
  storage,
}: Readonly<{ storage: DatabaseOptions }>): Promise<Finding> {
  const name = 'books';
  const title = nameDatabase(storage);
  if (!(await hasDatabase(storage))) return { name, ...problem(`there is no database (${title})`) };
  const database = await openDatabase(storage);
  try {
    const drift = await database.balances.audit();
    if (drift.length === 0)
      return { name, ...ok(`${title}: all balances match the usage records`) };
    const text = `${title}: balances differ from the usage records:\n\n${toTable(drift)}\n`;
    return { name, ...problem(text) };
  } finally {
    await database.close();
  }
}

function toTable(drift: readonly Drift[]): string {
  return toTextTable(
    ['account', 'period', 'tokens', 'of usage', 'USD', 'of usage'],
    drift.map(({ account, period, expected, actual }) => [
      ...[account, period, String(actual.tokens), String(expected.tokens)],
      ...[formatNanoUsd(actual.nanoUsd), formatNanoUsd(expected.nanoUsd)],
    ]),
  );
}
