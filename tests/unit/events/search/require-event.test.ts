import { expect, test } from 'vitest';
import { requireEvent } from '#lib/events/search/require-event.ts';
import { createSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { makeDrafts } from '../../../support/factories/draft-factory.ts';
import { siteTime } from '../../../support/factories/site-time.ts';

const options = { readAtMs: 0, ...siteTime('2026-03-10'), yieldWhenDue: createTimeSlices() };

test('a misspelled slug is a 404 that suggests the right one', async () => {
  const snapshot = await createSnapshot(makeDrafts(20), options);
  await expect(requireEvent(snapshot, 'event-numbr-7')).rejects.toThrow(
    expect.objectContaining({
      code: 'not_found',
      hint: expect.stringContaining('`event-number-7`'),
    }),
  );
});

test.for(['', 'nothing-like-it', 'x'.repeat(10_000), '\0', '../..'])(
  'a slug unlike any other is a 404 that names the list: %j',
  async (given) => {
    const snapshot = await createSnapshot(makeDrafts(20), options);
    await expect(requireEvent(snapshot, given)).rejects.toThrow(
      expect.objectContaining({
        code: 'not_found',
        hint: expect.stringContaining('/api/v1/events'),
      }),
    );
  },
);
