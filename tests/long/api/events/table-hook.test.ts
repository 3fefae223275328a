import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pauseMs } from '#lib/events/source/stored-read/read-state.ts';
import {
  callTableHook,
  readName,
  startEditedTable,
} from '../../../support/servers/edited-table.ts';
import { startMarqueeInProcess } from '../../../support/servers/marquee-server.ts';

/** The table's own call, `POST /hooks/table-changed`. */

test('a thousand calls cause a read at once, and one after each pause', async () => {
  await using table = await startEditedTable();
  await using server = await startMarqueeInProcess(table.settings);
  await readName(server);
  const before = table.reads();
  const startedAt = performance.now();
  for (let part = 0; part < 20; part++) {
    const responses = await Promise.all(Array.from({ length: 50 }, () => callTableHook(server)));
    expect(responses.every(({ status }) => status === 202)).toBe(true);
  }
  table.rename('Last Edit');
  await callTableHook(server);
  await expect.poll(() => readName(server)).toBe('Last Edit');
  await sleep(1_000);
  const pauses = Math.floor((performance.now() - startedAt) / pauseMs);
  expect(table.reads() - before).toBeLessThanOrEqual(2 + pauses);
});
