import { expect, test } from 'vitest';
import { requireEvent } from '#lib/events/search/require-event.ts';
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
