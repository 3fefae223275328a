import { expect, test } from 'vitest';
import type { EventDraft } from '#lib/events/model/schema.ts';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import { selectEvents, selectLatest } from '#lib/events/search/select-events.ts';
import { makeDraft, makeDrafts } from '../../../support/factories/draft-factory.ts';
import { makePlace } from '../../../support/factories/event-factory.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';

/** The ids of those events that a query selects. */
async function createSelect(drafts: readonly EventDraft[]) {
  const snapshot = await makeSnapshot(drafts);
  return (query: EventsQuery) => selectEvents(snapshot, query).map(({ id }) => id);
}

test('without a query all events are returned, latest start first', async () => {
  const select = await createSelect([
    makeDraft({ id: 'recA', startDate: '2026-01-01' }),
    makeDraft({ id: 'recB', startDate: '2026-02-01' }),
  ]);
  expect(select({})).toEqual(['recB', 'recA']);
});

test('what is upcoming begins with what comes next, unless an order is asked for', async () => {
  const select = await createSelect([
    makeDraft({ id: 'recA', startDate: '2026-04-01' }),
    makeDraft({ id: 'recB', startDate: '2026-05-01' }),
  ]);
  expect(select({ status: ['upcoming'] })).toEqual(['recA', 'recB']);
  expect(select({ status: ['upcoming'], order: 'desc' })).toEqual(['recB', 'recA']);
  expect(select({ status: ['ongoing', 'upcoming'] })).toEqual(['recB', 'recA']);
});

test('a limit counts matching events', async () => {
  const select = await createSelect(
    makeDrafts(300, (index) => ({ format: index < 3 ? 'online' : 'both' })),
  );
  expect(select({ format: ['online'], limit: 2 })).toHaveLength(2);
});

test('all filters must match, with any of their values', async () => {
  const select = await createSelect([
    makeDraft({
      id: 'recA',
      format: 'online',
      projectTypes: ['CAD', 'Other'],
      endDate: null,
      startDate: '2026-01-01',
    }),
    makeDraft({ id: 'recB', format: null, projectTypes: ['CAD'] }),
    makeDraft({ id: 'recC', format: 'both', projectTypes: [] }),
    makeDraft({ id: 'recD', format: 'in-person', projectTypes: ['CAD'] }),
  ]);
  expect(select({ projectType: ['CAD'], format: ['online', 'both'] })).toEqual(['recA']);
  expect(select({ status: ['ongoing'] })).toEqual(['recA']);
});

test('an event whose location says that it is online is one, and one in a city is not', async () => {
  const at = (location: string) => ({ start: null, end: null, location });
  const select = await createSelect([
    makeDraft({ id: 'recA', format: null, inPerson: at('Online (Zoom)'), place: null }),
    makeDraft({ id: 'recB', format: null, inPerson: at('Market Hall'), place: null }),
    makeDraft({
      id: 'recC',
      format: null,
      inPerson: at('Zoom'),
      place: makePlace({ city: 'Ghent' }),
    }),
    makeDraft({ id: 'recD', format: 'in-person', inPerson: at('Zoom'), place: null }),
  ]);
  expect(select({ format: ['online'] })).toEqual(['recA']);
  expect(select({ q: 'online' })).toEqual(['recA']);
  expect(select({ q: 'zoom' })).toHaveLength(3);
});

test('ids select their events, and unknown ones nothing', async () => {
  const select = await createSelect(
    makeDrafts(3, (index) => ({ id: `rec${index}`, startDate: `2026-01-0${index + 1}` })),
  );
  expect(select({ id: ['rec0', 'rec2', 'recGone'] })).toEqual(['rec2', 'rec0']);
  expect(select({ id: ['recGone'] })).toEqual([]);
});

test('states select events that take place as announced, or do not', async () => {
  const select = await createSelect([
    makeDraft({ id: 'recA' }),
    makeDraft({ id: 'recB', state: 'cancelled' }),
    makeDraft({ id: 'recC', state: 'moved-online' }),
  ]);
  expect(select({ state: ['cancelled', 'moved-online'] })).toEqual(['recB', 'recC']);
});

test('quick dates count from the day of the snapshot, and go together with from and to', async () => {
  // 2026-03-10 is a Tuesday.
  const select = await createSelect([
    makeDraft({ id: 'recA', startDate: '2026-03-13', endDate: '2026-03-14' }),
    makeDraft({ id: 'recB', startDate: '2026-03-16', endDate: '2026-03-16' }),
    makeDraft({ id: 'recC', startDate: '2026-01-01', endDate: null }),
  ]);
  expect(select({ when: 'weekend' })).toEqual(['recA', 'recC']);
  expect(select({ when: 'next-7-days' })).toEqual(['recB', 'recA', 'recC']);
  expect(select({ when: 'today' })).toEqual(['recC']);
  expect(select({ when: 'month', from: '2026-03-15' })).toEqual(['recB', 'recC']);
});

test('from and to select overlapping events; an event without an end lasts forever', async () => {
  const selectIds = await createSelect([
    makeDraft({ id: 'recA', startDate: '2026-01-10', endDate: '2026-01-20' }),
    makeDraft({ id: 'recB', startDate: '2026-01-01', endDate: null }),
  ]);
  const select = (from?: string, to?: string) =>
    selectIds({ ...(from && { from }), ...(to && { to }), order: 'asc' });
  expect(select('2026-01-20')).toEqual(['recB', 'recA']);
  expect(select('2026-01-21')).toEqual(['recB']);
  expect(select(undefined, '2026-01-09')).toEqual(['recB']);
  expect(select('2026-01-15', '2026-01-16')).toEqual(['recB', 'recA']);
});

test('all words must occur, without case and accents, and are not patterns', async () => {
  const select = await createSelect([
    makeDraft({ id: 'recA', name: 'Café Łódź', description: 'C++ (and more)' }),
    makeDraft({ id: 'recB', name: 'Cafe', description: null }),
  ]);
  expect(select({ q: 'CAFE lodz' })).toEqual(['recA']);
  expect(select({ q: ' c++ (and ' })).toEqual(['recA']);
  expect(select({ q: '.*' })).toEqual([]);
  expect(select({ q: '   ' })).toHaveLength(2);
});

test('project types are found by the words that visitors read', async () => {
  const select = await createSelect([makeDraft({ id: 'recA', projectTypes: ['Gamedev'] })]);
  for (const q of ['games', 'Gamedev', 'video game']) {
    expect(select({ q }), q).toEqual(['recA']);
  }
});

test('what a search names as days, format, type or place is a filter', async () => {
  const at = (location: string) => ({ start: null, end: null, location });
  const select = await createSelect([
    makeDraft({
      id: 'recA',
      name: 'Berlin Build',
      startDate: '2026-12-05',
      endDate: '2026-12-06',
      format: 'in-person',
      inPerson: at('Hall 2, Berlin'),
      projectTypes: ['CAD'],
    }),
    makeDraft({
      id: 'recB',
      name: 'Spring Robot',
      description: 'After December we go online in Lisbon, in Portugal.',
      startDate: '2026-03-14',
      endDate: '2026-03-14',
      format: 'both',
      inPerson: at('Berlin, Germany'),
      projectTypes: ['Gamedev'],
    }),
    makeDraft({
      id: 'recC',
      name: 'The Long Weekend of December Nights Online',
      startDate: '2026-07-01',
      endDate: null,
      format: 'online',
      inPerson: null,
      projectTypes: [],
    }),
  ]);
  // 2026-03-10 is a Tuesday.
  const found: Record<string, readonly string[]> = {
    december: ['recA', 'recC'],
    'december nights': ['recC'],
    '5 december': ['recA', 'recC'],
    '2026-12-05': ['recA', 'recC'],
    'jan 2027': ['recC'],
    'march robots': ['recB'],
    'Berlin, December': ['recA'],
    'events in Berlin': ['recA', 'recB'],
    germany: ['recA', 'recB'],
    portugal: [],
    'this weekend': ['recB'],
    weekend: ['recC', 'recB'],
    'next weekend': [],
    online: ['recC', 'recB'],
    'in person': ['recA', 'recB'],
    'online december': ['recC'],
    'games or cad': ['recA', 'recB'],
    hackathons: ['recA', 'recC', 'recB'],
  };
  for (const [q, expected] of Object.entries(found)) {
    expect(select({ q }), q).toEqual(expected);
  }
});

test('a day without a year is that of every year, and the next one of events without an end', async () => {
  const select = await createSelect([
    makeDraft({ id: 'recA', startDate: '2024-12-30', endDate: '2025-01-02' }),
    makeDraft({ id: 'recB', startDate: '2026-02-01', endDate: '2027-03-02' }),
    makeDraft({ id: 'recC', startDate: '2026-01-10', endDate: null }),
  ]);
  expect(select({ q: '1 january' })).toEqual(['recB', 'recC', 'recA']);
  expect(select({ q: '29 dec - 3 jan' })).toEqual(['recB', 'recC', 'recA']);
  expect(select({ q: 'january' })).toEqual(['recB', 'recC', 'recA']);
  expect(select({ q: '11 january' })).toEqual(['recB', 'recC']);
  expect(select({ q: '11 january 2027' })).toEqual(['recB', 'recC']);
});

test('singular and plural find each other, but not other words with the same letters', async () => {
  const select = await createSelect([
    makeDraft({ id: 'recA', description: 'A robot story, batteries.', startDate: '2026-01-02' }),
    makeDraft({ id: 'recB', description: 'Two categories, a box.', startDate: '2026-01-01' }),
  ]);
  expect(select({ q: 'robots' })).toEqual(['recA']);
  expect(select({ q: 'battery' })).toEqual(['recA']);
  expect(select({ q: 'cats' })).toEqual([]);
  expect(select({ q: 'category' })).toEqual(['recB']);
  expect(select({ q: 'boxes' })).toEqual(['recB']);
  expect(select({ q: 'stories' })).toEqual(['recA']);
});

test('the latest are those announced last, ties by id', async () => {
  const snapshot = await makeSnapshot(makeDrafts(30));
  const latest = selectLatest(snapshot, {});
  expect(latest).toHaveLength(20);
  expect(latest[0]?.name).toBe('Event number 29');
});

test('the word “tonight” finds what `when=tonight` finds', async () => {
  const today = { startDate: '2026-03-10', endDate: '2026-03-10', timeZone: 'Europe/Brussels' };
  const select = await createSelect([
    makeDraft({
      ...today,
      id: 'recMorning',
      startTime: '09:00',
      startsAt: '2026-03-10T09:00:00+01:00',
    }),
    makeDraft({
      ...today,
      id: 'recEvening',
      startTime: '19:00',
      startsAt: '2026-03-10T19:00:00+01:00',
    }),
    makeDraft({ ...today, id: 'recUntimed' }),
    makeDraft({
      id: 'recNamed',
      name: 'Tonight we weld',
      startDate: '2026-05-01',
      endDate: '2026-05-01',
    }),
  ]);
  expect(select({ when: 'tonight' })).toEqual(['recEvening']);
  expect(select({ q: 'tonight' }).toSorted()).toEqual(['recEvening', 'recNamed']);
});

async function find(query: EventsQuery): Promise<string[]> {
  const ghent = makePlace({ city: 'Ghent', country: 'BE', latitude: 51.05, longitude: 3.72 });
  const drafts = [
    makeDraft({
      id: 'recGhent',
      place: ghent,
      organizer: { name: 'Atelier «Ñandú»', url: null },
    }),
    makeDraft({
      id: 'recSuva',
      inPerson: null,
      place: makePlace({ latitude: -18.1, longitude: 178.4 }),
    }),
    makeDraft({
      id: 'recTaveuni',
      inPerson: null,
      place: makePlace({ latitude: -16.8, longitude: -179.9 }),
    }),
    makeDraft({ id: 'recMoved', state: 'moved-online', place: ghent, series: 'Night Shift' }),
    makeDraft({ id: 'recNowhere', inPerson: null }),
    makeDraft({ id: 'recCity', place: makePlace({ city: 'Glasgow', country: 'GB' }) }),
  ];
  return (await createSelect(drafts))(query);
}

test.for([
  [{ city: 'GHÉNT' }, ['recGhent']],
  [{ city: 'Gent' }, ['recGhent']],
  [{ city: 'Gnet' }, []],
  [{ city: '...' }, []],
  [{ country: 'be' }, ['recGhent']],
  [{ country: 'Belgium' }, ['recGhent']],
  [{ country: 'Europe' }, ['recCity', 'recGhent']],
  [{ country: 'Benelux' }, ['recGhent']],
  [{ country: 'Scotland' }, ['recCity']],
  [{ country: 'United Kingdom' }, ['recCity']],
  [{ country: 'England' }, []],
  [{ country: 'gb-scotland' }, ['recCity']],
  [{ country: 'GB-England' }, []],
  [{ country: 'GB-XX' }, []],
  // By its city.
  [{ near: '55.9,-4.3', within: 10 }, ['recCity']],
  [{ country: 'Atlantis' }, []],
  [{ organizer: 'atelier nandu' }, ['recGhent']],
  [{ series: 'night shift' }, ['recMoved']],
  [{ near: '51,3.7', within: 10 }, ['recGhent']],
  [{ near: '50.5,3.7' }, []],
  // Across the antimeridian.
  [{ near: '-17.5,179.9', within: 200 }, ['recSuva', 'recTaveuni']],
  // Half the way around the Earth from either pole, and nothing close to them.
  [{ near: '90,0', within: 20_000 }, ['recCity', 'recGhent', 'recSuva', 'recTaveuni']],
  [{ near: '-90,123', within: 1_000 }, []],
] as const)('%j finds %j', async ([query, ids]) => {
  expect((await find(query)).sort()).toEqual(ids);
});

test('who asks for a place, or for events in person, asks for the days on which people meet there', async () => {
  const place = makePlace({ city: 'Ghent', country: 'BE' });
  const dates = { startDate: '2026-11-09', endDate: '2027-01-08', format: 'both' as const, place };
  const hall = { start: '2027-01-05', end: '2027-01-07', location: 'Market Hall' };
  const snapshot = await makeSnapshot(
    [makeDraft({ id: 'recA', ...dates, inPerson: hall })],
    '2026-11-26',
  );
  const isSelected = (query: EventsQuery) => selectEvents(snapshot, query).length === 1;
  const december = { from: '2026-12-01', to: '2026-12-31' };
  const january = { from: '2027-01-01', to: '2027-01-31' };
  const ofPlace: EventsQuery[] = [
    { city: 'Ghent' },
    { country: 'BE' },
    { country: 'Europe' },
    { near: '51.05,3.72', within: 100 },
    { format: ['in-person', 'both'] },
    { q: 'ghent' },
    { q: 'in person' },
    { q: 'belgium' },
  ];
  for (const query of ofPlace) {
    expect([query, isSelected({ ...query, ...december })]).toEqual([query, false]);
    expect([query, isSelected({ ...query, ...january })]).toEqual([query, true]);
    expect([query, isSelected({ ...query, when: 'month' })]).toEqual([query, false]);
  }
  expect(isSelected({ q: 'ghent in december' })).toBe(false);
  expect(isSelected({ q: 'on now in ghent' })).toBe(false);
  expect(isSelected({ q: 'in person in january' })).toBe(true);
  // Online it is on all its days, and so it is for those who say nothing about it.
  expect(isSelected({ format: ['online', 'both'], ...december })).toBe(true);
  expect(isSelected({ q: 'online in december' })).toBe(true);
  expect(isSelected({ q: 'december' })).toBe(true);
  expect(isSelected({ format: ['online', 'in-person', 'both'], ...december })).toBe(true);
  // What is published of it stays.
  expect(isSelected({ city: 'Ghent', status: ['ongoing'] })).toBe(true);
});

test('in-person days that are none of the event’s own do not count', async () => {
  const place = makePlace({ city: 'Ghent' });
  const forgotten = { start: '2025-12-05', end: '2025-12-07', location: 'Market Hall' };
  const days = { startDate: '2026-12-05', endDate: '2026-12-07' };
  const select = await createSelect([
    makeDraft({ id: 'recA', ...days, place, inPerson: forgotten }),
  ]);
  expect(select({ city: 'Ghent', from: '2026-12-01', to: '2026-12-31' })).toEqual(['recA']);
});
