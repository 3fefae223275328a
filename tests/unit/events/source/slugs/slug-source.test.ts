import { expect, test } from 'vitest';
import { createSlugSource } from '#lib/events/source/slugs/slug-source.ts';
import type { SlugStore } from '#lib/events/source/slugs/slug-store.ts';
import { makeDraft } from '../../../../support/factories/draft-factory.ts';
import { createTestLog } from '../../../../support/test-log.ts';

const toRead = (table: Readonly<Record<string, string>>) => ({
  readAtMs: 1,
  events: Object.entries(table).map(([id, name]) => makeDraft({ id, name })),
});

async function failing(): Promise<never> {
  throw Object.assign(new Error('canary'), { code: 'ECONNREFUSED' });
}

test('without the database at the start, a slug that several share is temporarily that of their ids', async () => {
  const log = createTestLog();
  const findSlugs = createSlugSource({ assign: failing, log });
  const slugs = await findSlugs(toRead({ recA: 'Jam', recB: 'Jam', recC: 'Torch' }));
  expect(Object.fromEntries(slugs.byId)).toEqual({ recA: 'reca', recB: 'recb', recC: 'torch' });
  expect(Object.fromEntries(slugs.shared)).toEqual({ jam: 'recA', 'jam-2': 'recB' });
  expect(slugs.areStored).toBe(false);
  expect(log.text()).toContain('slugs of events could not be read');
  expect(log.text()).not.toContain('canary');
});

test('without the database later, events keep the slugs that this process knows', async () => {
  let assign: SlugStore['assign'] = async () =>
    new Map([
      ['recA', 'jam-7'],
      ['recB', 'jam'],
    ]);
  const findSlugs = createSlugSource({
    assign: (read) => assign(read),
    log: createTestLog(),
  });
  const known = await findSlugs(toRead({ recA: 'Jam', recB: 'Jam' }));
  expect(known.areStored).toBe(true);
  assign = failing;
  const slugs = await findSlugs(toRead({ recA: 'Jam', recB: 'Torch', recC: 'Jam' }));
  expect(Object.fromEntries(slugs.byId)).toEqual({ recA: 'jam-7', recB: 'torch', recC: 'recc' });
});

test('a database that hangs holds up the events for the limit at most', async () => {
  const findSlugs = createSlugSource({
    assign: () => new Promise(() => {}),
    log: createTestLog(),
    timeoutMs: 10,
  });
  expect((await findSlugs(toRead({ recA: 'Jam' }))).byId.get('recA')).toBe('jam');
});
