import { describe, expect, test } from 'vitest';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toSubscription } from '#lib/events/view/subscription.ts';
import { toGoogleCalendarLinks } from '#lib/representations/feeds/google-calendar.ts';
import { toEventICalendar, toICalendar } from '#lib/representations/feeds/icalendar.ts';
import { toMomentsWithPython } from '../../../support/clients/python-icalendar.ts';
import {
  clockChangeTimes,
  createTimedEvents,
} from '../../../support/factories/clock-change-events.ts';
import { makeEvening, makeEvent } from '../../../support/factories/event-factory.ts';
import { skipWithout } from '../../../support/servers/skip-without.ts';
import { testSite as site } from '../../../support/test-site.ts';

/*
 * What Google Calendar and Apple Calendar document about files that people import or subscribe to:
 *
 * - Google Calendar API, “Events: import”: events are told apart by their `iCalUID`, the UID of RFC 5545; the end is
 *   exclusive. Guide “Calendars & events”: an all-day event has dates, and time zones mean nothing to it.
 *   https://developers.google.com/workspace/calendar/api/v3/reference/events/import
 * - Google, “Instructions for making Google Calendar event reminder buttons”: `action=TEMPLATE`, `text` and `dates` are
 *   required; times in UTC end with `Z`, and are shown in the visitor’s zone; dates alone are all-day events.
 *   https://www.google.com/googlecalendar/event_publisher_guide_detail.html
 * - Google reads times without a zone in X-WR-TIMEZONE, which no standard has; other programs read them as floating.
 *   https://blog.jonudell.net/2011/10/17/x-wr-timezone-considered-harmful/
 * - Apple, EventKit, `EKCalendarItem.timeZone`: an item without a zone is floating, in whatever zone the device is.
 *   https://developer.apple.com/documentation/eventkit/ekcalendaritem/timezone
 * - Apple, Calendar Scripting Guide, “Subscribing to a Calendar”: by a `webcal:` URL.
 *   https://developer.apple.com/library/archive/documentation/AppleApplications/Conceptual/CalendarScriptingGuide/Calendar-SubscribetoaCalendar.html
 * - RFC 5545 and RFC 5546 for both: METHOD, ORGANIZER and ATTENDEE make an invitation of an event (RFC 5546 §1.4), and
 *   lines have at most 75 octets (§3.1).
 */

const today = '2026-11-22';

type Property = Readonly<{ name: string; parameters: string; value: string }>;

function unfold(calendar: string): Property[] {
  return calendar
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, name = '', parameters = '', value = ''] =
        /^([\w-]+)((?:;[^:]*)?):(.*)$/.exec(line) ?? [];
      return { name, parameters, value };
    });
}

/** Reads a time as a program does that shows it in the zone of its device: only floating times depend on that. */
function readTime({ parameters, value }: Property): string {
  const [, year, month, day, time] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6}Z?))?$/.exec(value) ?? [];
  const date = `${year}-${month}-${day}`;
  if (parameters === ';VALUE=DATE') return `all day ${date}`;
  if (parameters !== '' || time === undefined) return `unreadable ${parameters}:${value}`;
  const clock = `${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4, 6)}`;
  return time.endsWith('Z') ? `${date}T${clock}Z` : `floating ${date}T${clock}`;
}

function readTimes(calendar: string, name: 'DTSTART' | 'DTEND'): string[] {
  return unfold(calendar)
    .filter((property) => property.name === name)
    .map(readTime);
}

const read = async (...events: MarqueeEvent[]) => toICalendar(events, { site, today });

function readGoogleDates(event: MarqueeEvent): string[] {
  const pageUrl = 'https://events.example/events/lantern-jam';
  return toGoogleCalendarLinks(event, { pageUrl, today }).map(
    ({ url }) => new URL(url).searchParams.get('dates') ?? '',
  );
}

describe('208 events around two clock changes in eight zones', () => {
  skipWithout('icalendar');

  test('are the same moments in Google and Apple Calendar, wherever the device is', async () => {
    const events = await createTimedEvents(clockChangeTimes, today);
    const calendar = await read(...events);
    expect(events).toHaveLength(208);
    expect(readTimes(calendar, 'DTSTART')).toEqual(toMomentsWithPython(clockChangeTimes));
    expect(readTimes(calendar, 'DTEND')).toEqual(
      toMomentsWithPython(clockChangeTimes.map(([date, , zone]) => [date, '23:45', zone])),
    );
    // In several zones there is none to show all of them in.
    expect(unfold(calendar).map(({ name }) => name)).not.toContain('X-WR-TIMEZONE');
  });

  test('have links with the same moments for Google Calendar before they begin', async () => {
    const before = '2026-01-01';
    const events = await createTimedEvents(clockChangeTimes, before);
    const links = events.flatMap((event) =>
      toGoogleCalendarLinks(event, { pageUrl: 'https://events.example/', today: before }),
    );
    const starts = links.map(({ url }) => {
      const { searchParams } = new URL(url);
      expect(searchParams.get('action')).toBe('TEMPLATE');
      // The zone that an entry is made in is the visitor’s own.
      expect(searchParams.has('ctz')).toBe(false);
      const [, from = '', to = ''] =
        /^(\d{8}T\d{6}Z)\/(\d{8}T\d{6}Z)$/.exec(searchParams.get('dates') ?? '') ?? [];
      expect(to > from).toBe(true);
      return readTime({ name: 'dates', parameters: '', value: from });
    });
    expect(starts).toEqual(toMomentsWithPython(clockChangeTimes));
  });
});

test('times in one zone name it, and do not depend on it', async () => {
  const calendar = await read(makeEvening(), makeEvening({ id: 'recOther', slug: 'other' }));
  expect(unfold(calendar)).toContainEqual({
    name: 'X-WR-TIMEZONE',
    parameters: '',
    value: 'Europe/Brussels',
  });
  for (const time of readTimes(calendar, 'DTSTART')) expect(time).toBe('2026-11-24T17:30:00Z');
});

test('whole days are dates without a zone, and end on the day after the last', async () => {
  const inPerson = { start: null, end: null, location: 'Lisbon, Portugal' };
  const calendar = await read(makeEvent({ inPerson }));
  expect(readTimes(calendar, 'DTSTART')).toEqual(['all day 2026-12-12']);
  expect(readTimes(calendar, 'DTEND')).toEqual(['all day 2026-12-15']);
  expect(readGoogleDates(makeEvent({ inPerson }))).toEqual(['20261212/20261215']);
});

test('several days of which only the start is known stay several days', async () => {
  const event = makeEvening({
    startDate: '2026-11-27',
    endDate: '2026-11-29',
    startsAt: '2026-11-27T18:30:00+01:00',
    endTime: null,
    endsAt: null,
    inPerson: { start: null, end: null, location: 'Market Hall' },
  });
  const calendar = await read(event);
  expect(readTimes(calendar, 'DTSTART')).toEqual(['all day 2026-11-27']);
  expect(readTimes(calendar, 'DTEND')).toEqual(['all day 2026-11-30']);
  expect(readGoogleDates(event)).toEqual(['20261127/20261130']);
});

test('an evening without an end is its start alone', async () => {
  const event = makeEvening({ endTime: null, endsAt: null });
  const calendar = await read(event);
  expect(readTimes(calendar, 'DTSTART')).toEqual(['2026-11-24T17:30:00Z']);
  expect(readTimes(calendar, 'DTEND')).toEqual([]);
  expect(readGoogleDates(event)).toEqual(['20261124T173000Z/20261124T173000Z']);
});

test('no file is an invitation or rings, and no zone has to be looked up', async () => {
  const events = await createTimedEvents(clockChangeTimes, today);
  const files = [
    await read(...events, makeEvening(), makeEvent()),
    toEventICalendar(makeEvening(), { site, today }),
  ];
  for (const file of files) {
    const names = new Set(unfold(file).map(({ name }) => name));
    for (const name of ['METHOD', 'ORGANIZER', 'ATTENDEE', 'RRULE']) {
      expect(names).not.toContain(name);
    }
    expect(file).not.toMatch(/BEGIN:(?:VALARM|VTIMEZONE)|TZID/);
    for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  }
});

test('a changed event has the UID it had, so that it replaces its entry', async () => {
  const readUids = async (event: MarqueeEvent) =>
    unfold(await read(event)).flatMap(({ name, value }) => (name === 'UID' ? value : []));
  const uids = await readUids(makeEvening());
  const moved = makeEvening({
    inPerson: { start: '2026-12-24', end: '2026-12-24', location: 'Market Hall' },
    slug: 'new-name',
    name: 'New name',
    startDate: '2026-12-24',
    endDate: '2026-12-24',
    startsAt: '2026-12-24T18:30:00+01:00',
    endsAt: '2026-12-24T21:00:00+01:00',
    state: 'postponed',
  });
  expect(await readUids(moved)).toEqual(uids);
  expect(new Set(uids).size).toBe(uids.length);
  const file = toEventICalendar(makeEvening(), { site, today });
  expect(
    unfold(file)
      .filter(({ name }) => name === 'UID')
      .map(({ value }) => value),
  ).toEqual(uids);
});

test('Apple and Google subscribe by a webcal URL of the same calendar', () => {
  const { webcal, google, calendar } = toSubscription({ format: ['online'] }, site);
  expect(webcal.replace(/^webcal:/, 'https:')).toBe(calendar);
  expect(new URL(google).searchParams.get('cid')).toBe(webcal);
});
