import fc from 'fast-check';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { addDays } from '#lib/events/model/dates.ts';
import { toInPersonDays } from '#lib/events/model/in-person-days.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toEventTitle, toPlace } from '#lib/events/view/event-facts.ts';
import {
  toCalendarText,
  toContentLine,
  toEventICalendar,
  toICalendar,
} from '#lib/representations/feeds/icalendar.ts';
import { makeEvening, makeEvent, makeEvents } from '../../../support/factories/event-factory.ts';
import { hostileEvent, hostileText } from '../../../support/factories/hostile-text.ts';
import { testSite as site } from '../../../support/test-site.ts';

const today = '2026-11-20';
/** All of its days at its place. */
const inLisbon = { start: null, end: null, location: 'Lisbon, Portugal' };

test('ical.js reads id, name, days, location, URL and categories', async () => {
  const [component] = await read([makeEvent({ inPerson: inLisbon })]);
  const event = new ICAL.Event(component);
  expect(event.uid).toBe('recV7kQ2mXw4Tn9Lb@events.example');
  expect(event.summary).toBe('Lantern Jam');
  expect(event.startDate.isDate).toBe(true);
  expect(event.startDate.toString()).toBe('2026-12-12');
  expect(event.endDate.toString()).toBe('2026-12-15');
  expect(event.location).toBe('Lisbon, Portugal');
  expect(component?.getFirstPropertyValue('url')).toBe('https://events.example/events/lantern-jam');
  expect(component?.getFirstProperty('categories')?.getValues()).toEqual(['Electronics', 'CAD']);
  expect(String(component?.getFirstPropertyValue('dtstamp'))).toBe('2026-11-02T09:30:00Z');
  expect(event.description).toBe(
    [
      '12–14 Dec 2026 · In person and online · Lisbon, Portugal',
      'Build a lantern that reacts to sound.',
      'Requirements: A soldering iron.',
      'https://events.example/events/lantern-jam',
    ].join('\n\n'),
  );
});

test('a clock time of no known zone begins the summary of whole days: calendars would show it as one of UTC', async () => {
  const [component] = await read([
    makeEvent({ startTime: '18:30', timeZone: null, startsAt: null, endsAt: null }),
  ]);
  const event = new ICAL.Event(component);
  expect(event.summary).toBe('18:30 Lantern Jam');
  expect(event.startDate.isDate).toBe(true);
});

test('the calendar of one event has the same entries and UIDs as the calendar of all', async () => {
  const entries = /BEGIN:VEVENT[\s\S]*END:VEVENT\r\n/;
  const file = toEventICalendar(makeEvent(), { site, today });
  const all = await toICalendar([makeEvent({ id: 'recOther' }), makeEvent()], { site, today });
  expect(all).toContain(entries.exec(file)?.[0]);
  const calendar = new ICAL.Component(ICAL.parse(file));
  expect(calendar.getAllSubcomponents().map(({ name }) => name)).toEqual(['vevent', 'vevent']);
  // Only the calendar of all events has a name.
  expect(calendar.getFirstProperty('x-wr-calname')).toBeNull();
});

test('alarms ring a day and an hour before a moment, and at 9:00 on the day before a whole day', async () => {
  const whole = { inPerson: inLisbon };
  const events = [
    makeEvening(),
    makeEvent(whole),
    makeEvent(),
    makeEvent({ ...whole, state: 'cancelled' }),
    makeEvent({ ...whole, state: 'postponed' }),
    makeEvent({ ...whole, status: 'ended' }),
    // It starts again each day.
    makeEvent({ ...whole, startDate: '2026-11-01', endDate: null, status: 'ongoing' }),
  ];
  const readTriggers = async (options: Readonly<{ hasAlarms?: boolean }>) => {
    const text = await toICalendar(events, { site, today, ...options });
    return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((component) => {
      const alarms = component.getAllSubcomponents('valarm');
      return alarms.map((alarm) => String(alarm.getFirstPropertyValue('trigger')));
    });
  };
  const before = ['-PT15H'];
  const expected = [['-P1D', '-PT1H'], before, before, before, [], [], [], []];
  expect(await readTriggers({ hasAlarms: true })).toEqual(expected);
  expect(await readTriggers({})).toEqual(expected.map(() => []));
});

test('days at the place are an entry of their own, and the whole event has no place', async () => {
  const [whole, inPerson, ...rest] = await read([makeEvent()]);
  expect(rest).toEqual([]);
  expect(summarize(whole)).toEqual({
    uid: 'recV7kQ2mXw4Tn9Lb@events.example',
    summary: 'Lantern Jam',
    start: '2026-12-12',
    end: '2026-12-15',
    location: null,
  });
  expect(summarize(inPerson)).toEqual({
    uid: 'recV7kQ2mXw4Tn9Lb@events.example-in-person',
    summary: 'Lantern Jam (in person)',
    start: '2026-12-13',
    end: '2026-12-15',
    location: 'Lisbon, Portugal',
  });
});

test.each([
  ['scheduled', 'CONFIRMED', 'Lantern Jam', 'Lisbon, Portugal', false],
  ['cancelled', 'CANCELLED', 'Cancelled: Lantern Jam', 'Lisbon, Portugal', true],
  ['postponed', 'TENTATIVE', 'Postponed: Lantern Jam', 'Lisbon, Portugal', true],
  ['moved-online', 'CONFIRMED', 'Moved online: Lantern Jam', null, false],
] as const)(
  'an event that is %s has the status %s',
  async (state, status, summary, place, isFree) => {
    const [component, ...rest] = await read([makeEvent({ state, inPerson: inLisbon })]);
    expect(rest).toEqual([]);
    expect(component?.getFirstPropertyValue('status')).toBe(status);
    expect(component?.getFirstPropertyValue('summary')).toBe(summary);
    expect(component?.getFirstPropertyValue('location')).toBe(place);
    expect(component?.getFirstPropertyValue('transp') === 'TRANSPARENT').toBe(isFree);
  },
);

test('the sequence of all entries of an event is its revision', async () => {
  const revisions = new Map([['recV7kQ2mXw4Tn9Lb', 3]]);
  const events = [makeEvent(), makeEvent({ id: 'recOther', inPerson: null })];
  const text = await toICalendar(events, { site, today, revisions });
  expect(text.match(/^SEQUENCE:.*$/gm)).toEqual(['SEQUENCE:3', 'SEQUENCE:3', 'SEQUENCE:0']);
});

test('an open-ended event that is under way starts today: what is over is left out', async () => {
  const event = makeEvent({ startDate: '2026-05-03', endDate: null, inPerson: null });
  expect(summarize((await read([event]))[0]).start).toBe('2026-11-20');
  expect(summarize((await read([makeEvent({ endDate: null })]))[0]).start).toBe('2026-12-12');
});

test('an open-ended event has no end, says so, and is transparent', async () => {
  const text = await toICalendar([makeEvent({ endDate: null, inPerson: null })], { site, today });
  expect(text).not.toContain('DTEND');
  expect(text).toContain('SUMMARY:Lantern Jam (open-ended)\r\n');
  expect(text).toContain('TRANSP:TRANSPARENT\r\n');
});

test.each([
  ['2026-12-12', false],
  ['2026-12-14', false],
  ['2026-12-15', true],
])('an event from 12 December to %s is transparent: %s', async (endDate, isTransparent) => {
  const text = await toICalendar([makeEvent({ endDate, inPerson: null })], { site, today });
  expect(text.includes('TRANSP:TRANSPARENT')).toBe(isTransparent);
});

test('the last day of a year, the last possible day, and an end before the start', async () => {
  const text = await toICalendar(
    [
      makeEvent({ endDate: '2026-12-31', inPerson: null }),
      makeEvent({ startDate: '9999-12-31', endDate: '9999-12-31', inPerson: null }),
      makeEvent({ endDate: '2026-12-01', inPerson: null }),
    ],
    { site, today },
  );
  expect(text.match(/^DTEND.*$/gm)).toEqual(['DTEND;VALUE=DATE:20270101']);
});

test('the calendar has a name and a refresh interval, and is valid when empty', async () => {
  const text = await toICalendar([], { site, today });
  const calendar = new ICAL.Component(ICAL.parse(text));
  expect(calendar.getFirstPropertyValue('name')).toBe('Marquee: events');
  expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Marquee: events');
  expect(String(calendar.getFirstPropertyValue('refresh-interval'))).toBe('PT1H');
  expect(calendar.getFirstPropertyValue('x-published-ttl')).toBe('PT1H');
  expect(calendar.getFirstPropertyValue('prodid')).toMatch(/^-\/\/.+\/\/.+\/\/EN$/);
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
  expect(calendar.getAllSubcomponents().map(({ name }) => name)).toEqual(['vtimezone']);
});

test('a calendar with filters has them in its name, so that several can be told apart', async () => {
  const text = await toICalendar([], { site, today, filters: 'Online, “jam; night”' });
  expect(text).toContain('NAME:Marquee: Online\\, “jam\\; night”\r\n');
});

test('the same events give the same bytes at any time', async () => {
  const events = makeEvents(5);
  expect(await toICalendar(events, { site, today })).toBe(
    await toICalendar(events, { site, today }),
  );
});

test('of thousands of events the first have descriptions, the others only facts; writing yields between events', async () => {
  const events = makeEvents(2_000).map((event) => ({ ...event, inPerson: inLisbon }));
  let turns = 0;
  const yieldWhenDue = () => {
    turns++;
    return undefined;
  };
  const text = await toICalendar(events, { site, today, yieldWhenDue });
  expect(turns).toBe(2_002);
  const descriptions = text.replaceAll('\r\n ', '').match(/^DESCRIPTION:.*$/gm) ?? [];
  expect(descriptions).toHaveLength(2_000);
  expect(descriptions[0]).toContain('a lantern that reacts');
  expect(descriptions[1_999]).not.toContain('a lantern that reacts');
});

test('lines are folded at exactly 75 octets', () => {
  expect(toContentLine('A', 'x'.repeat(73))).toBe(`A:${'x'.repeat(73)}\r\n`);
  expect(toContentLine('A', 'x'.repeat(74))).toBe(`A:${'x'.repeat(73)}\r\n x\r\n`);
  expect(toContentLine('A', `${'x'.repeat(72)}é`)).toBe(`A:${'x'.repeat(72)}\r\n é\r\n`);
});

// ASVS 1.2.1
test('backslash, semicolon, comma and line ends are escaped', () => {
  expect(toCalendarText('a\\b;c,d\r\ne\nf')).toBe('a\\\\b\\;c\\,d\\ne\\nf');
});

test('no text makes a line longer than 75 octets or splits a character', () => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 1, max: 80 }), (text, lead) => {
      const value = toCalendarText(`${'x'.repeat(lead)}${text}${text}`);
      const lines = toContentLine('SUMMARY', value);
      expect(lines.isWellFormed()).toBe(true);
      for (const line of lines.slice(0, -2).split('\r\n')) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        expect(line.isWellFormed()).toBe(true);
        expect(line).not.toMatch(/[\0-\x08\x0a-\x1f\x7f]/);
      }
      expect(lines.replaceAll('\r\n ', '')).toBe(`SUMMARY:${value}\r\n`);
    }),
    { numRuns: 200 },
  );
});

test('no text breaks the calendar, and names, days and locations round-trip', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostileEvent, { minLength: 1, maxLength: 3 }), async (events) => {
      const components = (await read(events)).filter(
        (component) => !String(component.getFirstPropertyValue('uid')).endsWith('-in-person'),
      );
      expect(components).toHaveLength(events.length);
      components.forEach((component, index) => {
        const event = events[index] ?? makeEvent();
        const isUnderWay = event.endDate === null && event.startDate < today;
        const suffix = event.endDate === null ? ' (open-ended)' : '';
        expect(component.getFirstPropertyValue('summary')).toBe(toEventTitle(event) + suffix);
        const start = isUnderWay ? today : event.startDate;
        expect(String(component.getFirstPropertyValue('dtstart'))).toBe(start);
        const hasOwnDays = toInPersonDays(event) !== null;
        const location = hasOwnDays ? null : toPlace(event);
        expect(component.getFirstPropertyValue('location')).toBe(location);
        const end = component.getFirstPropertyValue('dtend');
        const hasEnd = event.endDate !== null && event.endDate >= event.startDate;
        expect(end === null ? null : String(end)).toBe(
          hasEnd ? addDays(event.endDate ?? '', 1) : null,
        );
      });
    }),
    { numRuns: 150 },
  );
});

async function read(events: readonly MarqueeEvent[]) {
  const calendar = new ICAL.Component(ICAL.parse(await toICalendar(events, { site, today })));
  return calendar.getAllSubcomponents('vevent');
}

function summarize(component: ICAL.Component | undefined) {
  const property = (name: string) => component?.getFirstPropertyValue(name) ?? null;
  return {
    uid: property('uid'),
    summary: property('summary'),
    start: String(property('dtstart')),
    end: String(property('dtend')),
    location: property('location'),
  };
}
