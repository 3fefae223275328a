import { expect, test } from 'vitest';
import { toStatus, toStatusOfDays } from '#lib/events/model/status.ts';
import { toFactsLine, toFullPlace, toPlace } from '#lib/events/view/event-facts.ts';
import { toCountdown, toYourTime, toZoneInWords } from '#lib/events/words/clock-words.ts';
import { toWhen } from '#lib/events/words/when.ts';
import { makeEvening } from '../../../support/factories/event-factory.ts';

const online = { format: 'online', inPerson: null, place: null } as const;
const weekend = { startDate: '2026-11-27', endDate: '2026-11-29' };

test.for([
  ['2026-11-22', {}, 'Tue 24 Nov, 18:30–21:00', 'in 2 days'],
  ['2026-11-23', {}, 'Tomorrow, 18:30–21:00', 'Tue 24 Nov'],
  ['2026-11-24', {}, 'Today, 18:30–21:00', 'Tue 24 Nov'],
  ['2026-11-24', { status: 'ended' }, 'Tue 24 Nov, 18:30–21:00', 'today'],
  ['2026-11-25', {}, 'Tue 24 Nov, 18:30–21:00', 'yesterday'],
  // Of a night, or where the site’s day is another one.
  ['2026-11-25', { status: 'ongoing' }, 'Tue 24 Nov, 18:30–21:00', 'ends today'],
  ['2026-11-25', { status: 'upcoming' }, 'Today, 18:30–21:00', 'Tue 24 Nov'],
  ['2026-11-23', { status: 'ongoing' }, 'Today, 18:30–21:00', 'Tue 24 Nov'],
  ['2026-11-23', { status: 'ended' }, 'Tue 24 Nov, 18:30–21:00', 'today'],
  ['2026-11-24', { endTime: null }, 'Today, 18:30', 'Tue 24 Nov'],
  ['2026-11-24', { startTime: null }, 'Today, until 21:00', 'Tue 24 Nov'],
  ['2026-11-24', online, 'Today, 18:30–21:00 Brussels time', 'Tue 24 Nov'],
  ['2026-11-24', { state: 'cancelled' }, 'Tue 24 Nov', ''],
  ['2026-11-24', weekend, '27–29 Nov from 18:30', 'Fri–Sun, in 3 days'],
  ['2026-11-26', weekend, 'Tomorrow, 18:30', 'Fri 27 Nov – Sun 29 Nov'],
  ['2026-11-27', weekend, 'Started today, 18:30', 'until Sun 29 Nov'],
  ['2026-11-27', { ...weekend, status: 'upcoming' }, 'Starts today, 18:30', 'until Sun 29 Nov'],
  ['2026-11-27', { ...weekend, startsAt: null }, 'Starts today, 18:30', 'until Sun 29 Nov'],
  ['2026-11-28', weekend, 'Ends tomorrow, 21:00', 'Sun 29 Nov'],
  ['2026-11-29', weekend, 'Until tonight, 21:00', 'since Fri 27 Nov'],
  ['2026-11-29', { ...weekend, status: 'ended' }, '27–29 Nov', 'ended Sun, today'],
  ['2026-11-29', { ...weekend, endTime: '16:00' }, 'Until today, 16:00', 'since Fri 27 Nov'],
  ['2026-11-28', { endDate: null }, 'Open-ended, 18:30–21:00', 'since Tue 24 Nov'],
] as const)('on %s, with %j: %s', ([today, overrides, words, detail]) => {
  const { start: startDate, end: endDate } = toDays(overrides);
  const event = makeEvening({
    status: toStatusOfDays({ startDate, endDate }, today),
    ...overrides,
    inPerson: { start: startDate, end: endDate, location: 'Hall' },
  });
  const shown = 'place' in overrides ? { ...event, inPerson: null } : event;
  expect(toWhen(shown, today)).toMatchObject({ words, detail });
});

test('days at a place that end with the event in the morning do not end tonight', () => {
  const event = makeEvening({
    ...weekend,
    status: 'ongoing',
    endTime: '06:00',
    inPerson: { start: '2026-11-28', end: '2026-11-29', location: 'Hall' },
  });
  expect(toWhen(event, '2026-11-29')).toMatchObject({
    words: 'Until today, 06:00',
    inPerson: { words: 'Ends today' },
  });
});

function toDays(overrides: object) {
  const { startDate, endDate } = { startDate: '2026-11-24', endDate: '2026-11-24', ...overrides };
  return { start: startDate, end: endDate };
}

test('facts in one line say when, where, by whom and for how much', () => {
  expect(toFactsLine(makeEvening())).toBe(
    '24 Nov 2026, 18:30–21:00 · In person · Market Hall, Ghent · by Lantern Club · €8',
  );
});

test.for([
  [{}, '27 Nov, 18:30 – 29 Nov 2026, 21:00 Brussels time · Online'],
  [{ endTime: null }, '27 Nov, 18:30 Brussels time – 29 Nov 2026 · Online'],
  [{ startTime: null }, '27 Nov – 29 Nov 2026, 21:00 Brussels time · Online'],
  [{ startTime: null, endTime: null }, '27–29 Nov 2026 · Online'],
  [{ endDate: '2027-01-02' }, '27 Nov 2026, 18:30 – 2 Jan 2027, 21:00 Brussels time · Online'],
  [{ endDate: null }, 'from 27 Nov 2026, open-ended, 18:30–21:00 Brussels time · Online'],
] as const)('facts of several days have each time beside its day: %j', ([overrides, words]) => {
  const long = { ...weekend, ...online, organizer: null, price: null, ...overrides };
  expect(toFactsLine(makeEvening(long))).toBe(words);
});

test.for([
  [
    'Calton Lane, Edinburgh',
    { city: 'Edinburgh', region: 'Scotland' },
    'Calton Lane, Edinburgh, Scotland',
  ],
  ['Airfield at Siófok', { city: 'Siófok', region: 'Somogy' }, 'Airfield at Siófok, Somogy'],
  ['Company Hall', { city: 'New York', region: 'NY' }, 'Company Hall, New York, NY'],
  ['Pier 4, New York, NY', { city: 'New York', region: 'NY' }, 'Pier 4, New York, NY'],
  ['旧印刷工場、東京', { city: '東京', region: null }, '旧印刷工場、東京'],
] as const)('%s: the city is said once, and the region behind it', ([location, parts, words]) => {
  const place = {
    ...makeEvening().place,
    name: location,
    address: null,
    country: null,
    latitude: null,
    longitude: null,
    ...parts,
  };
  expect(toPlace({ inPerson: { start: null, end: null, location }, place })).toBe(words);
});

test('the city of a place is said once, behind its address', () => {
  const event = makeEvening({
    inPerson: { start: null, end: null, location: 'Market Hall, Ghent' },
  });
  expect(toFullPlace(event)).toBe('Market Hall, Oude Beestenmarkt 10, Ghent, Belgium');
});

test.for([
  ['Europe/Brussels', 'Brussels time'],
  ['America/Argentina/Buenos_Aires', 'Buenos Aires time'],
  ['UTC', 'UTC'],
  ['Etc/GMT+2', 'GMT+2'],
] as const)('%s is %s', ([zone, words]) => {
  expect(toZoneInWords(zone)).toBe(words);
});

test.for([
  ['America/New_York', 'your time 12:30–15:00'],
  ['Asia/Tokyo', 'your time Wed 02:30–05:00'],
  ['Europe/Brussels', null],
  ['Europe/Paris', null],
] as const)('for a visitor in %s: %s', ([zone, words]) => {
  const event = makeEvening({ format: 'both' });
  expect(toYourTime(event, { today: '2026-11-20', visitorZone: zone })).toBe(words);
});

test.for([
  [{ format: 'in-person' }, null],
  [{ format: null }, null],
  [{ format: null, inPerson: null, place: null }, 'your time 12:30–15:00'],
  [online, 'your time 12:30–15:00'],
] as const)(
  'a visitor’s own time is of use only where one can take part online: %j',
  ([overrides, words]) => {
    const visitor = { today: '2026-11-20', visitorZone: 'America/New_York' };
    expect(toYourTime(makeEvening(overrides), visitor)).toBe(words);
  },
);

test.for([
  ['2026-11-20', 'your time 12:30'],
  ['2026-11-27', 'your time 12:30'],
  ['2026-11-28', 'your time 11:00'],
  ['2026-11-29', 'your time 11:00'],
  ['2026-11-30', null],
] as const)('for an event of three days, on %s: %s', ([today, words]) => {
  const event = makeEvening({
    ...weekend,
    status: toStatusOfDays(weekend, today),
    format: 'both',
    startsAt: '2026-11-27T18:30:00+01:00',
    endsAt: '2026-11-29T17:00:00+01:00',
  });
  expect(toYourTime(event, { today, visitorZone: 'America/New_York' })).toBe(words);
});

test('an event without times has none elsewhere', () => {
  const event = makeEvening({ format: 'both', startsAt: null, endsAt: null });
  const visitor = { today: '2026-11-24', visitorZone: 'America/New_York' };
  expect(toYourTime(event, visitor)).toBeNull();
  expect(toCountdown(event, Date.parse('2026-11-24T12:00:00Z'))).toBeNull();
});

test.for([
  ['2026-11-23T22:30:00Z', null],
  ['2026-11-23T23:10:00Z', 'Doors in 18 hours'],
  ['2026-11-24T15:30:00Z', 'Doors in 2 hours'],
  ['2026-11-24T16:45:00Z', 'Doors in 45 minutes'],
  ['2026-11-24T17:29:10Z', 'Doors in a minute'],
  ['2026-11-24T17:50:00Z', 'Started 20 minutes ago'],
  ['2026-11-24T20:10:00Z', 'Ended 10 minutes ago'],
  ['2026-11-24T23:30:00Z', null],
] as const)('at %s: %s', ([now, words]) => {
  const nowMs = Date.parse(now);
  const status = toStatus(makeEvening(), { timeMs: nowMs, day: '2026-11-24' });
  expect(toCountdown(makeEvening({ status }), nowMs)).toBe(words);
});

test('what the clock says never contradicts the status, which an open page learns a little later', () => {
  const at = (now: string, status: 'upcoming' | 'ongoing' | 'ended') =>
    toCountdown(makeEvening({ status }), Date.parse(now));
  expect(at('2026-11-24T17:30:10Z', 'upcoming')).toBeNull();
  expect(at('2026-11-24T20:10:00Z', 'ongoing')).toBe('Started 3 hours ago');
  expect(at('2026-11-24T19:59:00Z', 'ended')).toBeNull();
});

test('an online event starts, and one that does not take place has no countdown', () => {
  const nowMs = Date.parse('2026-11-24T15:30:00Z');
  expect(toCountdown(makeEvening(online), nowMs)).toBe('Starts in 2 hours');
  expect(toCountdown(makeEvening({ state: 'moved-online' }), nowMs)).toBe('Starts in 2 hours');
  expect(toCountdown(makeEvening({ state: 'postponed' }), nowMs)).toBeNull();
});
