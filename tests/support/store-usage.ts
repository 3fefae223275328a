import type { Database } from '#lib/database.ts';
import { createLedger } from '#lib/spend/ledger/ledger.ts';
import type { UsageRecord } from '#lib/spend/ledger/usage-record.ts';
import { makeRejectedRecord } from './factories/key-factory.ts';
import { makeDemand } from './factories/limits-factory.ts';
import { createTestLog } from './test-log.ts';

/** Stores and counts requests that have ended, as the proxy does. */
export async function storeUsage(
  { ledger: transactions }: Pick<Database, 'ledger'>,
  records: readonly UsageRecord[],
): Promise<void> {
  const ledger = createLedger({ transactions, log: createTestLog() });
  for (const record of records) ledger.end(record);
  await ledger.close();
}

type Rejections = Pick<UsageRecord, 'keyId' | 'at' | 'status'> &
  Partial<UsageRecord> &
  Readonly<{ code: string; count: number }>;

/** Counts rejected requests, as the proxy does. */
export async function storeRejections(
  { ledger: transactions }: Pick<Database, 'ledger'>,
  rejections: readonly Rejections[],
): Promise<void> {
  const ledger = createLedger({ transactions, log: createTestLog() });
  for (const { count, code, ...rejection } of rejections) {
    for (let index = 0; index < count; index += 1) {
      ledger.reject(makeRejectedRecord({ ...rejection, errorCode: code }));
    }
  }
  await ledger.close();
}

/** Stores a request under way, as a process that dies leaves it behind. It has reserved 1,000 tokens. */
export async function storeOpenUsage(
  { ledger: transactions }: Pick<Database, 'ledger'>,
  record: UsageRecord,
): Promise<void> {
  const ledger = createLedger({ transactions, log: createTestLog() });
  const demand = makeDemand(1_000);
  const { at } = record;
  await ledger.reserve(record.id, { limits: [], at, demand, toRecord: () => record });
}

/** Closes what killed processes have left open, as others do once its leases have run out. */
export async function closeOpenUsage({
  run,
  ledger: transactions,
}: Pick<Database, 'run' | 'ledger'>): Promise<void> {
  await run((db) =>
    db
      .updateTable('marquee_usage')
      .set({ lease_until: 1 })
      .where('lease_until', 'is not', null)
      .execute(),
  );
  await createLedger({ transactions, log: createTestLog() }).closeExpired();
}
