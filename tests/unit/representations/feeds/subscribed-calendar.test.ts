import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { edgeCaseRecords } from '#lib/demo/data/edge-case-records.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { toEvent } from '#lib/events/source/airtable/to-event.ts';
import { createSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { toICalendar } from '#lib/representations/feeds/icalendar.ts';
import {
  type ReadEntry,
  readWithPython,
  toMomentsWithPython,
} from '../../../support/clients/python-icalendar.ts';
import { skipWithout } from '../../../support/servers/skip-without.ts';
import { testSite as site } from '../../../support/test-site.ts';

const today = '2026-11-22';

/** The calendar of the sample table with its edge cases, as a calendar program subscribes to it. */
async function writeCalendar(): Promise<string> {
  const records = [...sampleRecords({ today }), ...edgeCaseRecords({ today })];
  const siteZone = { timeZone: 'UTC', dayAt: () => today };
  const drafts = records.flatMap((record) => toEvent(record, siteZone).draft ?? []);
  const yieldWhenDue = createTimeSlices();
  const { events } = await createSnapshot(drafts, { readAtMs: 0, day: today, yieldWhenDue });
  return toICalendar(events, { site, today, revisions: new Map([[events[0]?.id ?? '', 4]]) });
}

function readWithIcalJs(calendar: string): ReadEntry[] {
  return new ICAL.Component(ICAL.parse(calendar)).getAllSubcomponents('vevent').map((entry) => {
    const read = (name: string) => entry.getFirstPropertyValue(name);
    return {
      uid: String(read('uid')),
      summary: String(read('summary')),
      start: String(read('dtstart')),
      end: read('dtend') === null ? null : String(read('dtend')),
      location: read('location') === null ? null : String(read('location')),
      status: String(read('status')),
      sequence: Number(read('sequence')),
    };
  });
}

test('ical.js reads every entry, each with an id of its own', async () => {
  const entries = readWithIcalJs(await writeCalendar());
  expect(entries.length).toBeGreaterThan(120);
  expect(new Set(entries.map(({ uid }) => uid)).size).toBe(entries.length);
  expect(entries.filter(({ summary }) => summary.startsWith('Robot Sumo'))).toMatchObject([
    { start: '2026-11-02T18:00:00Z', end: '2027-01-01T21:30:00Z', location: null },
    {
      start: '2026-12-30',
      end: '2027-01-02',
      location: 'Market Hall No. 3, Oude Beestenmarkt 10, Ghent, Belgium',
      status: 'CONFIRMED',
    },
  ]);
  const museum = entries.find(({ summary }) => summary.endsWith('Museum of Broken Things'));
  expect(museum).toMatchObject({
    summary: 'Cancelled: Museum of Broken Things',
    status: 'CANCELLED',
  });
  expect(entries.filter(({ sequence }) => sequence === 4).length).toBeGreaterThan(0);
});

describe('with Debian’s python3-icalendar', () => {
  skipWithout('icalendar');

  test('it reads the same entries as ical.js', async () => {
    const calendar = await writeCalendar();
    // Python has no year 0.
    const entries = readWithIcalJs(calendar).filter(({ start }) => start !== '0-01-01');
    expect(readWithPython(calendar).filter(({ start }) => start !== null)).toEqual(entries);
  });

  test('both read the moments of 208 events around the clock changes of eight zones', async () => {
    const locals = Object.entries(clockChanges).flatMap(([zone, dates]) =>
      dates.flatMap((date) => timesOfNight.map((time) => [date, time, zone] as const)),
    );
    expect(locals).toHaveLength(208);
    const calendar = await writeTimedCalendar(locals);
    const expected = toMomentsWithPython(locals);
    const ends = toMomentsWithPython(locals.map(([date, , zone]) => [date, '23:45', zone]));
    const byIcalJs = readWithIcalJs(calendar);
    expect(byIcalJs.map(({ start }) => start)).toEqual(expected);
    expect(byIcalJs.map(({ end }) => end)).toEqual(ends);
    expect(readWithPython(calendar)).toEqual(byIcalJs);
  });
});

const clockChanges: Readonly<Record<string, readonly [string, string]>> = {
  'Europe/Brussels': ['2026-03-29', '2026-10-25'],
  'Europe/London': ['2026-03-29', '2026-10-25'],
  'America/New_York': ['2026-03-08', '2026-11-01'],
  'America/St_Johns': ['2026-03-08', '2026-11-01'],
  'America/Santiago': ['2026-04-05', '2026-09-06'],
  'Australia/Adelaide': ['2026-04-05', '2026-10-04'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04'],
  'Pacific/Auckland': ['2026-04-05', '2026-09-27'],
};
const timesOfNight = [
  ...['00:00', '00:30', '01:00', '01:30', '01:45', '01:59', '02:00', '02:15', '02:30', '02:59'],
  ...['03:00', '03:30', '12:00'],
];

async function writeTimedCalendar(locals: Parameters<typeof toMomentsWithPython>[0]) {
  const siteZone = { timeZone: 'UTC', dayAt: () => today };
  const drafts = locals.flatMap(([date, time, zone], index) => {
    const times = { 'Start Time': time, 'End Time': '23:45', 'Time Zone': zone };
    const fields = { Name: `Event ${index}`, 'Start Date': date, 'End Date': date, ...times };
    const id = `rec${String(index).padStart(14, '0')}`;
    return toEvent({ id, createdTime: '2026-01-01T00:00:00.000Z', fields }, siteZone).draft ?? [];
  });
  const options = { readAtMs: 0, day: today, yieldWhenDue: createTimeSlices() };
  const { events } = await createSnapshot(drafts, options);
  return toICalendar(events, { site, today });
}
