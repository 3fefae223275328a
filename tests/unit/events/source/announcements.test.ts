import { expect, test } from 'vitest';
import { createAnnouncementDating } from '#lib/events/source/announcements.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { createTestLog } from '../../../support/test-log.ts';

const first = '2026-11-20T10:00:00.000Z';
const later = '2026-11-21T10:00:00.000Z';
const muchLater = '2027-03-01T10:00:00.000Z';
const future = '2027-01-01T00:00:00.000Z';

function readAt(time: string, announced: Readonly<Record<string, string>>) {
  const drafts = Object.entries(announced).map(([id, announcedAt]) =>
    makeDraft({ id, announcedAt }),
  );
  return { drafts, readAtMs: Date.parse(time) };
}

const toTimes = (drafts: readonly { id: string; announcedAt: string }[]) =>
  Object.fromEntries(drafts.map(({ id, announcedAt }) => [id, announcedAt]));

describeEachDatabase((createTestDatabase) => {
  test('a future announcement counts as made when it was first read, by all processes and for good', async () => {
    const place = await createTestDatabase();
    const [one, two] = [await openTestDatabase(place), await openTestDatabase(place)];
    const log = createTestLog();
    const date = createAnnouncementDating({ store: one.announcements, log, timeoutMs: 60_000 });
    const other = createAnnouncementDating({ store: two.announcements, log, timeoutMs: 60_000 });
    const past = '2026-11-02T09:30:00.000Z';
    const table = { recA: future, recB: past };
    expect(toTimes(await date(readAt(first, table)))).toEqual({ recA: first, recB: past });
    expect(toTimes(await other(readAt(later, table)))).toEqual({ recA: first, recB: past });
    expect(toTimes(await date(readAt(muchLater, table)))).toEqual({ recA: first, recB: past });
    // Another time is another announcement.
    const moved = '2027-06-01T00:00:00.000Z';
    expect(toTimes(await date(readAt(muchLater, { recA: moved })))).toEqual({ recA: muchLater });
    expect(toTimes(await date(readAt(muchLater, { recA: past })))).toEqual({ recA: past });
  });
});

test('while they cannot be stored, a process goes on with what it has read', async () => {
  const log = createTestLog();
  const note = () => Promise.reject(Object.assign(new Error('canary'), { code: 'ECONNREFUSED' }));
  const date = createAnnouncementDating({ store: { note }, log });
  expect(toTimes(await date(readAt(first, { recA: future })))).toEqual({ recA: first });
  expect(toTimes(await date(readAt(later, { recA: future })))).toEqual({ recA: first });
  expect(log.text()).toContain('ECONNREFUSED');
  expect(log.text()).not.toContain('canary');
});
