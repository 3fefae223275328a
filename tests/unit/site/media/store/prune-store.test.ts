import { expect, test } from 'vitest';
import { createPruning, toOgGroup } from '#lib/site/media/store/prune-store.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';

const hourMs = 60 * 60 * 1000;

function setUp(stored: readonly string[]) {
  const clock = createFakeClock();
  const groups = new Set(stored);
  const prune = createPruning(
    {
      listGroups: async () => [...groups],
      removeGroup: async (group) => void groups.delete(group),
    },
    clock.now,
  );
  return {
    clock,
    groups,
    read: (attachments: readonly string[], events: readonly string[] = []) =>
      prune({
        attachments: new Map(attachments.map((id) => [id, {}])),
        events: events.map((id) => ({ id })),
      } as never),
  };
}

test('pictures are deleted once they have been absent from the table for a day', async () => {
  const { clock, groups, read } = setUp([
    'attOne',
    'attTwo',
    toOgGroup('recOne'),
    toOgGroup('recTwo'),
  ]);
  await read(['attOne'], ['recOne']);
  clock.move(23 * hourMs);
  await read(['attOne'], ['recOne']);
  expect(groups.size).toBe(4);
  clock.move(hourMs);
  await read(['attOne'], ['recOne']);
  expect([...groups]).toEqual(['attOne', toOgGroup('recOne')]);
});

test('a row that is back within the day starts anew', async () => {
  const { clock, groups, read } = setUp(['attOne']);
  for (const attachments of [[], ['attOne'], []]) {
    await read(attachments);
    clock.move(20 * hourMs);
  }
  await read([]);
  expect([...groups]).toEqual(['attOne']);
});

test('without a successful read nothing is deleted, however long that takes', async () => {
  const { clock, groups, read } = setUp(['attOne']);
  await read(['attOne']);
  clock.move(30 * 24 * hourMs);
  await read([]);
  expect([...groups]).toEqual(['attOne']);
});
