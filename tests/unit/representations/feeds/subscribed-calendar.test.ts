import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { toEvent } from '#lib/events/source/airtable/to-event.ts';
import { toICalendar } from '#lib/representations/feeds/icalendar.ts';
import { edgeCaseRecords } from '../../../support/airtable/edge-case-records.ts';
import {
  type ReadEntry,
  readWithPython,
  toMomentsWithPython,
} from '../../../support/clients/python-icalendar.ts';
import {
  clockChangeTimes,
  createTimedEvents,
} from '../../../support/factories/clock-change-events.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';
import { skipWithout } from '../../../support/servers/skip-without.ts';
import { testSite as site } from '../../../support/test-site.ts';

const today = '2026-11-22';

/** The calendar of the sample table with its edge cases, as a calendar program subscribes to it. */
async function writeCalendar(): Promise<string> {
  const records = [...sampleRecords({ today }), ...edgeCaseRecords({ today })];
  const drafts = records.flatMap((record) => toEvent(record, 'UTC').draft ?? []);
  const { events } = await makeSnapshot(drafts, today);
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
    expect(clockChangeTimes).toHaveLength(208);
    const events = await createTimedEvents(clockChangeTimes, today);
    const calendar = await toICalendar(events, { site, today });
    const expected = toMomentsWithPython(clockChangeTimes);
    const ends = toMomentsWithPython(
      clockChangeTimes.map(([date, , zone]) => [date, '23:45', zone]),
    );
    const byIcalJs = readWithIcalJs(calendar);
    expect(byIcalJs.map(({ start }) => start)).toEqual(expected);
    expect(byIcalJs.map(({ end }) => end)).toEqual(ends);
    expect(readWithPython(calendar)).toEqual(byIcalJs);
  });
});
