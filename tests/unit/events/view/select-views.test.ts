import { expect, test } from 'vitest';
import { selectNearEvents } from '#lib/events/view/search-notes.ts';
import {
  findSimilar,
  selectDirectoryView,
  selectPeriodStart,
  selectRecent,
} from '#lib/events/view/select-views.ts';
import { makeDraft, makeDrafts } from '../../../support/factories/draft-factory.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';

const event = makeEvent({ id: 'recSelf', projectTypes: ['CAD', 'Electronics'], format: 'both' });

test('events with more in common come first, and the event itself is not listed', () => {
  const far = makeEvent({ id: 'recFar', projectTypes: ['Gamedev'] });
  const near = makeEvent({ id: 'recNear', projectTypes: ['CAD'], format: 'online' });
  const nearest = makeEvent({ id: 'recNearest', projectTypes: ['CAD', 'Electronics'] });
  expect(toIds([event, far, near, nearest])).toEqual(['recNearest', 'recNear']);
});

test('upcoming and ongoing events come before past ones, however similar', () => {
  const over = makeEvent({ id: 'recOver', status: 'ended', projectTypes: ['CAD', 'Electronics'] });
  const ahead = makeEvent({ id: 'recAhead', status: 'upcoming', projectTypes: ['CAD'] });
  expect(toIds([over, ahead])).toEqual(['recAhead', 'recOver']);
});

test('ties are in the order of their start dates; past events latest first', () => {
  const make = (id: string, startDate: string, status: 'upcoming' | 'ended') =>
    makeEvent({ id, startDate, status });
  const events = [
    make('recOld', '2020-01-01', 'ended'),
    make('recLate', '2027-02-01', 'upcoming'),
    make('recRecent', '2026-01-01', 'ended'),
    make('recSoon', '2027-01-01', 'upcoming'),
  ];
  expect(toIds(events)).toEqual(['recSoon', 'recLate', 'recRecent', 'recOld']);
});

test('long texts and signed URLs are not sent with the page', async () => {
  const snapshot = await makeSnapshot(makeDrafts(1));
  const { sections } = selectDirectoryView(snapshot, { filters: {}, page: 1 });
  const [sent] = sections.flatMap(({ events }) => events);
  expect(sent).toMatchObject({ name: 'Event number 0', startDate: '2026-12-12' });
  for (const name of ['description', 'requirements', 'slackUrl', 'series', 'logoUrl']) {
    expect(sent).not.toHaveProperty(name);
  }
});

test('days in a search are a period, those of every year are not', async () => {
  // A Tuesday.
  const snapshot = await makeSnapshot(makeDrafts(1));
  const starts = ['', 'robots', 'this weekend', '5 december', 'robots 20 march 2026'].map((q) =>
    selectPeriodStart(snapshot, { q }),
  );
  expect(starts).toEqual([null, null, '2026-03-14', null, '2026-03-20']);
  expect(selectPeriodStart(snapshot, { q: 'this weekend', from: '2026-03-15' })).toBe('2026-03-15');
});

test('events that are online, too, are suggested to those who look for online ones', async () => {
  const snapshot = await makeSnapshot(makeDrafts(1, () => ({ format: 'both' })));
  const near = selectNearEvents(snapshot, { format: ['online'], from: '2030-01-01' });
  expect(near).toMatchObject({
    title: 'Closest, without “From 1 Jan 2030”',
    events: [{ name: 'Event number 0' }],
  });
});

test('what was announced in the last thirty days is recent, newest first', async () => {
  const drafts = [
    makeDraft({ id: 'recOld', announcedAt: '2026-10-20T09:00:00.000Z' }),
    makeDraft({ id: 'recA', announcedAt: '2026-11-01T09:00:00.000Z' }),
    makeDraft({ id: 'recB', announcedAt: '2026-11-20T09:00:00.000Z' }),
  ];
  const snapshot = await makeSnapshot(drafts, '2026-11-22');
  expect(selectRecent(snapshot).map(({ id }) => id)).toEqual(['recB', 'recA']);
});

function toIds(events: Parameters<typeof findSimilar>[1]): string[] {
  return findSimilar(event, events, 4).map(({ id }) => id);
}
