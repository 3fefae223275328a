import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { formatNanoUsd } from '#lib/config/budget.ts';
import { type Database, openDatabase } from '#lib/database.ts';
import { listQueues } from '#lib/spend/records/drain-queue.ts';
import { adoptUsageQueue } from '#lib/spend/records/usage-queue.ts';
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
    return [{ name, ...problem(`there is no database (${title})`) }, ...examineQueues(storage)];
  }
  const database = await openDatabase(storage);
  try {
    const drift = await database.balances.audit();
    const text = `${title}: balances differ from the usage records:\n\n${toTable(drift)}\n`;
    const books =
      drift.length === 0 ? ok(`${title}: all balances match the usage records`) : problem(text);
    const waiting = await examineWaiting(database);
    return [{ name, ...books }, ...waiting, ...examineQueues(storage)];
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
    const text = `${expired} requests of a lost instance: a running one charges them within a minute`;
    findings.push({ name: 'waiting', ...warning(text) });
  }
  return findings;
}

/** What waits in DATA_DIR. The queue of a running instance is locked: what is in it is written every second. */
function examineQueues({ dataDir }: DatabaseOptions): Finding[] {
  const name = 'queue';
  const folder = join(dataDir, 'usage');
  return [
    ...listQueues(folder).flatMap((path): Finding[] => {
      try {
        const queue = adoptUsageQueue(path);
        if (queue === null) return [{ name, ...ok(`${path} belongs to a running instance`) }];
        const count = queue.countRecords();
        queue.release();
        const text = `${path}: ${count} records of a dead process wait for the next instance with this DATA_DIR`;
        return count === 0 ? [] : [{ name, ...warning(text) }];
      } catch {
        return [{ name, ...problem(`${path} cannot be read`) }];
      }
    }),
    ...listDamaged(folder).map((path) => ({
      name,
      ...problem(`${path} is damaged: the usage in it is lost`),
    })),
  ];
}

function listDamaged(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((file) => file.endsWith('.damaged'));
    return names.map((file) => join(folder, file));
  } catch {
    return [];
  }
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
