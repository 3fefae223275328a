import { expect, test } from 'vitest';
import { createSnapshot } from '#lib/events/source/snapshot.ts';
import { selectRecent } from '#lib/events/view/select-views.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';
import { siteTime } from '../../../support/factories/site-time.ts';

test('what was announced in the last thirty days is recent, newest first', async () => {
  const drafts = [
    makeDraft({ id: 'recOld', announcedAt: '2026-10-20T09:00:00.000Z' }),
    makeDraft({ id: 'recA', announcedAt: '2026-11-01T09:00:00.000Z' }),
    makeDraft({ id: 'recB', announcedAt: '2026-11-20T09:00:00.000Z' }),
  ];
  const options = { readAtMs: 0, ...siteTime('2026-11-22'), yieldWhenDue: createTimeSlices() };
  const snapshot = await createSnapshot(drafts, options);
  expect(selectRecent(snapshot).map(({ id }) => id)).toEqual(['recB', 'recA']);
});
