import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createStoredSource } from '#lib/events/source/stored-read/stored-source.ts';
import { random } from '../../../../../support/seed.ts';
import {
  describeEachDatabase,
  openTestDatabase,
} from '../../../../../support/servers/each-database.ts';
import { createTestLog } from '../../../../../support/test-log.ts';

const program = `${import.meta.dirname}/../../../../../support/servers/reader-program.ts`;
const rounds = 8;

describeEachDatabase((createTestDatabase) => {
  test('readers that are killed at any time leave the read of one moment, and never an older one', async () => {
    const place = await createTestDatabase();
    const running = new Set<ChildProcess>();
    onTestFinished(() => {
      for (const child of running) child.kill('SIGKILL');
    });
    function start(): ChildProcess {
      const child = fork(program, [place.databaseUrl ?? '', place.dataDir], {
        execArgv: ['--disable-warning=ExperimentalWarning'],
      });
      running.add(child.once('exit', () => running.delete(child)));
      return child;
    }
    const log = createTestLog();
    let tableReads = 0;
    const source = createStoredSource(
      {
        async read() {
          tableReads += 1;
          return { drafts: [], signedUrls: new Map(), repairs: {} };
        },
      },
      {
        store: (await openTestDatabase(place)).tableReads('events'),
        now: Date.now,
        signal: new AbortController().signal,
        log,
        toPicture: () => null,
      },
    );
    await once(start(), 'message');
    let newest = '';
    for (let round = 0; round < rounds; round++) {
      const killed = start();
      await once(killed, 'message');
      await sleep(random() * 300);
      const exited = once(killed, 'exit');
      killed.kill('SIGKILL');
      await exited;
      const { drafts } = await source.read({ ageMaxMs: 60_000 });
      const names = [...new Set(drafts.map(({ name }) => name))];
      expect(drafts).toHaveLength(1_000);
      expect(names).toHaveLength(1);
      expect((names[0] ?? '') >= newest).toBe(true);
      newest = names[0] ?? '';
    }
    expect(tableReads).toBe(0);
    expect(log.lines).toEqual([]);
  });
});
