import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startForeignReader } from '../../../../support/programs/foreign-reader.ts';
import { random } from '../../../../support/seed.ts';
import {
  describeEachDatabase,
  openTestDatabase,
} from '../../../../support/servers/each-database.ts';
import { closeOpenUsage } from '../../../../support/store-usage.ts';

const program = `${import.meta.dirname}/../../../../support/servers/ledger-program.ts`;
/** `npm run chaos:ledger` kills a thousand. */
const rounds = Number(process.env.MARQUEE_LEDGER_KILLS ?? 8);

type Message = Readonly<{ id: string; state: 'started' | 'reserved' | 'ended' }>;

describeEachDatabase((createTestDatabase) => {
  test('processes that are killed at any point of the ledger lose no record and leave nothing reserved', async () => {
    const place = await createTestDatabase();
    const database = await openTestDatabase(place);
    // Another program that opens and closes the file meanwhile must not cost anything.
    using reader = place.databaseUrl === null ? await startForeignReader(place.dataDir) : null;
    const states = new Map<string, Message['state']>();
    const running = new Set<ChildProcess>();
    onTestFinished(() => {
      for (const child of running) child.kill('SIGKILL');
    });
    async function start(): Promise<ChildProcess> {
      const child = fork(program, [place.databaseUrl ?? '', place.dataDir, String(random())], {
        execArgv: ['--disable-warning=ExperimentalWarning'],
      });
      running.add(child.once('exit', () => running.delete(child)));
      child.on('message', ({ id, state }: Message) => void states.set(id, state));
      await once(child, 'message');
      return child;
    }
    async function kill(child: ChildProcess): Promise<void> {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }

    const survivor = await start();
    for (let round = 0; round < rounds; round += 1) {
      const killed = await start();
      await sleep(random() * 150);
      await kill(killed);
    }
    await kill(survivor);
    if (reader !== null) expect(reader.isRunning()).toBe(true);
    await closeOpenUsage(database);

    const rows = await database.run((db) =>
      db.selectFrom('marquee_usage').select(['id', 'is_final', 'tokens_out']).execute(),
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    states.delete('');
    for (const [id, state] of states) {
      const row = found.get(id);
      const hasEnded = state === 'ended';
      // Until its end is in, a request counts as it stood.
      if (id.startsWith('cancelled')) expect(row === undefined || !hasEnded).toBe(true);
      else if (hasEnded) expect(row).toMatchObject({ is_final: 1, tokens_out: 9 });
      else expect([1, 5, 9]).toContain(row?.tokens_out);
    }
    const reserved = await database.run((db) =>
      db
        .selectFrom('marquee_balances')
        .select(['account', 'reserved_tokens'])
        .where('reserved_tokens', '!=', 0)
        .execute(),
    );
    expect(reserved).toEqual([]);
    expect(await database.balances.audit()).toEqual([]);
    expect(rows.length).toBeGreaterThan(rounds);
  });
});
