import { expect, test } from 'vitest';
import { createLedger } from '#lib/spend/ledger/ledger.ts';
import { makeRejectedRecord } from '../../../support/factories/key-factory.ts';
import { describeEachLedger } from '../../../support/servers/each-ledger.ts';

describeEachLedger((open) => {
  test('ten rejected requests of a key and minute are stored by all processes together, and all are counted', async () => {
    const { database, limits, other, clock } = await open();
    const reject = (keyId: string, at: number) => {
      for (const { ledger } of [limits, other]) {
        for (let sent = 0; sent < 30; sent += 1) {
          ledger.reject(makeRejectedRecord({ keyId, memberId: 'mbr_ada', at }));
        }
      }
    };
    const at = clock.now() - (clock.now() % 60_000);
    reject('key_one', at);
    reject('key_one', at + 59_999);
    reject('key_one', at + 60_000);
    reject('key_two', at);
    await Promise.all([limits.ledger.flush(), other.ledger.flush()]);
    const rows = await database.run((db) =>
      db.selectFrom('marquee_usage').select(['key_id', 'at']).execute(),
    );
    const counts = Map.groupBy(rows, (row) => `${row.key_id} ${row.at - (row.at % 60_000) - at}`);
    expect([...counts].map(([name, { length }]) => [name, length]).sort()).toEqual([
      ['key_one 0', 10],
      ['key_one 60000', 10],
      ['key_two 0', 10],
    ]);
    expect(await database.rejections.sum('2026-01-01', 'key_one')).toMatchObject([{ count: 180 }]);
    // They are part of no sum.
    expect(await database.usage.lastFailures('2026-01-01', 10)).toEqual([]);
    expect(await database.usage.modelsOf('mbr_ada', '2026-01-01')).toEqual([]);
    expect(await database.balances.audit()).toEqual([]);
  });

  test('a flood of rejections writes ten rows, in the transactions that count it', async () => {
    const { database, log } = await open();
    let rows = 0;
    let transactions = 0;
    const ledger = createLedger({
      log,
      transactions: {
        ...database.ledger,
        run: (reads, change) =>
          database.ledger.run(reads, (books) => {
            change(books);
            rows += books.writes.rejected?.size ?? 0;
            transactions += 1;
          }),
      },
    });
    for (let sent = 0; sent < 1_000; sent += 1) ledger.reject(makeRejectedRecord());
    await ledger.close();
    expect([rows, transactions]).toEqual([10, 10]);
  });
});
