import { formatNanoUsd } from '#lib/config/budget.ts';
import { type Database, openDatabase } from '#lib/database.ts';
import type { Drift } from '#lib/spend/store/find-drift.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { hasDatabase, nameDatabase } from '#lib/storage/find-database.ts';
import { toTextTable } from '../command.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

type StorageOptions = Readonly<{ storage: DatabaseOptions }>;

/**
 * Recomputes all balances from the usage records, and looks for usage that is not part of them yet.
 * @throws StorageError if the database cannot be read.
 */
export async function examineBooks({ storage }: StorageOptions): Promise<Finding[]> {
  const name = 'books';
  const title = nameDatabase(storage);
  if (!(await hasDatabase(storage))) {
    return [{ name, ...problem(`there is no database (${title})`) }];
  }
  const database = await openDatabase(storage);
  try {
    const drift = await database.balances.audit();
    const text = `${title}: balances differ from the usage records:\n\n${toTable(drift)}\n`;
    const books =
      drift.length === 0 ? ok(`${title}: all balances match the usage records`) : problem(text);
    return [{ name, ...books }, ...(await examineWaiting(database))];
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
    const text = `${setAside.length} records cannot be counted and were set aside (marquee_usage_set_aside):`;
    const table = toTextTable(['record', 'reason'], rows);
    findings.push({ name: 'set aside', ...problem(`${text}\n\n${table}\n`) });
  }
  if (expired > 0) {
    const text = `${expired} requests of a lost process: a running one charges them within a minute`;
    findings.push({ name: 'waiting', ...warning(text) });
  }
  return findings;
}

function toTable(drift: readonly Drift[]): string {
  return toTextTable(
    ['account', 'period', 'tokens', 'of usage', 'USD', 'of usage'],
    drift.map(({ account, period, expected, actual }) => [
      account,
      period,
      String(actual.tokens),
      String(expected.tokens),
      formatNanoUsd(actual.nanoUsd),
      formatNanoUsd(expected.nanoUsd),
    ]),
  );
}
