import { expect, test } from 'vitest';
import { createFileStore } from '#lib/site/media/store/file-store.ts';
import { createPruning, toOgGroup } from '#lib/site/media/store/prune-store.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { makeTestFolder } from '../../../../support/temporary-folder.ts';
import { createTestLog } from '../../../../support/test-log.ts';

const hourMs = 60 * 60 * 1000;

async function setUp(stored: readonly string[]) {
  const clock = createFakeClock();
  const options = { folder: makeTestFolder(), memoryBytesMax: 1, log: createTestLog() };
  const store = createFileStore(options);
  for (const group of stored) await store.write({ group, name: 'one' }, Buffer.from('1'));
  const start = () => createPruning(createFileStore(options), clock.now);
  let prune = start();
  return {
    clock,
    restart() {
      prune = start();
    },
    listGroups: async () => (await store.listGroups()).toSorted(),
    read: (attachments: readonly string[], events: readonly string[] = []) =>
      prune({
        attachments: new Map(attachments.map((id) => [id, {}])),
        events: events.map((id) => ({ id })),
      } as never),
  };
}

test('pictures are deleted once they have been absent from the table for a day', async () => {
  const { clock, listGroups, read } = await setUp([
    'attOne',
    'attTwo',
    toOgGroup('recOne'),
    toOgGroup('recTwo'),
  ]);
  await read(['attOne'], ['recOne']);
  clock.move(23 * hourMs);
  await read(['attOne'], ['recOne']);
  expect(await listGroups()).toHaveLength(4);
  clock.move(hourMs);
  await read(['attOne'], ['recOne']);
  expect(await listGroups()).toEqual(['attOne', toOgGroup('recOne')]);
});

test('a row that is back within the day starts anew', async () => {
  const { clock, listGroups, read } = await setUp(['attOne']);
  for (const attachments of [[], ['attOne'], []]) {
    await read(attachments);
    clock.move(20 * hourMs);
  }
  await read([]);
  expect(await listGroups()).toEqual(['attOne']);
});

test('without a successful read nothing is deleted, however long that takes', async () => {
  const { clock, listGroups, read } = await setUp(['attOne']);
  await read(['attOne']);
  clock.move(30 * 24 * hourMs);
  await read([]);
  expect(await listGroups()).toEqual(['attOne']);
});

test('a process that restarts more than daily prunes, too', async () => {
  const { clock, listGroups, read, restart } = await setUp(['attOne', 'attTwo']);
  for (const expected of [2, 2, 2, 1]) {
    await read(['attOne']);
    expect(await listGroups()).toHaveLength(expected);
    clock.move(8 * hourMs);
    restart();
  }
});
