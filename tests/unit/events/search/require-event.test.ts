import { expect, test } from 'vitest';
import { requireEvent, requireEventByAnySlug } from '#lib/events/search/require-event.ts';
import { makeDrafts } from '../../../support/factories/draft-factory.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';

async function expectNotFound(slug: string, hint: string): Promise<void> {
  const snapshot = await makeSnapshot(makeDrafts(20));
  await expect(requireEvent(snapshot, slug)).rejects.toMatchObject({
    code: 'not_found',
    hint: expect.stringContaining(hint),
  });
}

test('a misspelled slug is a 404 that suggests the right one', () =>
  expectNotFound('event-numbr-7', '`event-number-7`'));

test.for(['', 'nothing-like-it', 'x'.repeat(10_000), '\0', '../..'])(
  'a slug unlike any other is a 404 that names the list: %j',
  (slug) => expectNotFound(slug, '/api/v1/events'),
);

test('a former slug is a 404 that has the new one, or leads to its event', async () => {
  const drafts = makeDrafts(2);
  const stored = { eventId: drafts[0]?.id ?? '', removedAtMs: null };
  const snapshot = await makeSnapshot(drafts, '2026-03-10', {
    findStoredSlug: async () => stored,
  });
  await expect(requireEvent(snapshot, 'former')).rejects.toMatchObject({
    code: 'not_found',
    hint: expect.stringContaining(`\`${snapshot.events[0]?.slug}\``),
  });
  expect(await requireEventByAnySlug(snapshot, 'former')).toBe(snapshot.events[0]);
});

test('the slug of an event that was removed is a 404 that says so', async () => {
  const stored = { eventId: 'recRemoved', removedAtMs: 1 };
  const snapshot = await makeSnapshot(makeDrafts(2), '2026-03-10', {
    findStoredSlug: async () => stored,
  });
  await expect(requireEvent(snapshot, 'former')).rejects.toMatchObject({
    code: 'not_found',
    message: 'The event that had this id or slug was removed.',
  });
});
