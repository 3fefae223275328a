import { type Database, openDatabase } from '#lib/database.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import type { Drift } from '#lib/spend/store/audit-books.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { hasDatabase, nameDatabase } from '#lib/storage/find-database.ts';
import { toTextTable } from '../command.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

type StorageOptions = Readonly<{ storage: DatabaseOptions }>;

/**
 * Compares all balances and sums with the usage records, and looks for usage that is not part of them yet. With
 * `isRepair`, makes them what the records say.
 * @throws StorageError if the database cannot be read.
 */
export async function examineBooks(
  { storage }: StorageOptions,
  isRepair: boolean,
): Promise<Finding[]> {
  const name = 'books';
  const title = nameDatabase(storage);
  if (!(await hasDatabase(storage))) {
    return [{ name, ...problem(`there is no database (${title})`) }];
  }
  const database = await openDatabase(storage);
  try {
    const drifts = await database.balances.audit();
    if (isRepair) await database.balances.repair(drifts);
    const books = describeDrifts(drifts, isRepair);
    const waiting = await examineWaiting(database);
    return [{ name, ...books, text: `${title}: ${books.text}` }, ...waiting];
  } finally {
    await database.close();
  }
}

const shownMax = 20;

async function examineWaiting({ usage, readClock }: Database): Promise<Finding[]> {
  const [setAside, expired] = [
    await usage.listSetAside(),
    await usage.countExpired(await readClock()),
  ];
  const findings: Finding[] = [];
  if (setAside.length > 0) {
    const rows = setAside.slice(0, shownMax).map(({ id, reason }) => [id, reason]);
    const text = `${formatCountOf(setAside.length, 'record cannot be counted and was', 'records cannot be counted and were')} set aside (marquee_usage_set_aside):`;
    const table = toTextTable(['record', 'reason'], rows);
    findings.push({ name: 'set aside', ...problem(`${text}\n\n${table}\n`) });
  }
  if (expired > 0) {
    const text = `${formatCountOf(expired, 'request')} of a lost process, to be charged by a running one within a minute`;
    findings.push({ name: 'waiting', ...warning(text) });
  }
  return findings;
}

function describeDrifts(drifts: readonly Drift[], isRepaired: boolean): Omit<Finding, 'name'> {
  if (drifts.length === 0) return ok('all balances and sums match the usage records');
  const count = drifts.length;
  const rows = drifts
    .slice(0, shownMax)
    .flatMap(({ table, key, expected, actual }) =>
      Object.entries(expected).map(([column, amount]) => [
        table,
        Object.values(key).join(' '),
        column,
        String(actual[column]),
        String(amount),
      ]),
    );
  const lines = toTextTable(['table', 'of', 'column', 'is', 'of usage'], rows);
  return isRepaired
    ? warning(
        `${formatCountOf(count, 'balance or sum', 'balances and sums')} differed from the usage records. Repaired:\n\n${lines}\n`,
      )
    : problem(
        `${formatCountOf(count, 'balance or sum differs', 'balances and sums differ')} from the usage records. Add --repair:\n\n${lines}\n`,
      );
}
