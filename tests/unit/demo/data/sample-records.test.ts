import { wcagContrast } from 'culori';
import { expect, test } from 'vitest';
import { type AirtableRecord, isStoredAttachment } from '#lib/demo/airtable/airtable-record.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { addDays } from '#lib/demo/data/sample-sketch.ts';
import { loadPictures } from '#lib/demo/load-pictures.ts';
import { columns } from '#lib/events/model/field-lists.ts';

const today = '2026-11-21';
const records = sampleRecords({ today });

function cellsOf(column: string, of: readonly AirtableRecord[] = records): unknown[] {
  return of.map(({ fields }) => fields[column]);
}

function statusOf({ fields }: AirtableRecord): string {
  if (String(fields['Start Date']) > today) return 'upcoming';
  return fields['End Date'] !== undefined && String(fields['End Date']) < today
    ? 'ended'
    : 'ongoing';
}

test('every column of the documentation is filled in somewhere, and no other', () => {
  const filled = new Set(records.flatMap(({ fields }) => Object.keys(fields)));
  expect([...filled].toSorted()).toEqual([...columns].toSorted());
});

test('every status, format and project type occurs', () => {
  expect(Object.groupBy(records, statusOf)).toMatchObject({
    upcoming: expect.any(Array),
    ongoing: expect.any(Array),
    ended: expect.any(Array),
  });
  expect(new Set(cellsOf('Format'))).toEqual(new Set(['In-Person', 'Online', 'Both', undefined]));
  expect(new Set(cellsOf('Project Types').flat())).toEqual(
    new Set(['Electronics', 'Websites', 'Software', 'Gamedev', 'CAD', 'Other']),
  );
});

test('there are events in six time zones and on five continents', () => {
  expect(new Set(cellsOf('Time Zone').filter(Boolean)).size).toBeGreaterThanOrEqual(6);
  const cities = cellsOf('City');
  for (const city of ['Lisbon', '東京', 'القاهرة', 'Ciudad de México', 'Vicuña']) {
    expect(cities).toContain(city);
  }
  for (const column of ['Start Time', 'End Time', 'Schedule', 'Address', 'Latitude', 'Longitude']) {
    expect(cellsOf(column).filter(Boolean).length, column).toBeGreaterThan(3);
  }
  for (const column of ['Organizer', 'Organizer URL', 'Series', 'Price', 'Places Left', 'Age']) {
    expect(cellsOf(column).filter(Boolean).length, column).toBeGreaterThan(3);
  }
});

test('events start and end today, ended yesterday and start tomorrow', () => {
  expect(cellsOf('Start Date')).toContain(today);
  expect(cellsOf('End Date')).toContain(today);
  expect(cellsOf('End Date')).toContain(addDays(today, -1));
  expect(cellsOf('Start Date')).toContain(addDays(today, 1));
  expect(cellsOf('End Date').filter((end) => end === undefined).length).toBeGreaterThan(4);
  expect(cellsOf('Pinned').filter(Boolean)).toHaveLength(3);
});

test('the sample table uses exactly the drawn pictures', () => {
  const pictures = loadPictures();
  const attachments = [...cellsOf('Logo'), ...cellsOf('Background Image')]
    .flat()
    .filter(isStoredAttachment);
  const used = new Set(attachments.map(({ file }) => file));
  const drawn = [...pictures.keys()].filter((file) => !file.includes('/'));
  expect(used).toEqual(new Set(drawn));
  for (const file of used) {
    const { bytes, size } = pictures.get(file) ?? {};
    expect(bytes?.length, file).toBeLessThan(size?.width === 1200 ? 40_000 : 12_000);
    expect(pictures.get(`small/${file}`)?.size?.height).toBe(36);
  }
  const ids = attachments.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(records.map(({ fields }) => [fields.Name, fields] as const))(
  'the poster of %s is legible',
  (_, fields) => {
    const contrastOf = (foreground: string, background: string) =>
      fields[foreground] && fields[background]
        ? wcagContrast(String(fields[foreground]), String(fields[background]))
        : Number.POSITIVE_INFINITY;
    expect(contrastOf('Text Color', 'Background Color')).toBeGreaterThan(4.5);
    expect(contrastOf('Button Text Color', 'Button Color')).toBeGreaterThan(4.5);
    expect(contrastOf('Accent Color', 'Background Color')).toBeGreaterThan(3);
  },
);

test('ten thousand rows have unique ids and valid dates, and begin with the 48', () => {
  const many = sampleRecords({ today, count: 10_000 });
  expect(many).toHaveLength(10_000);
  expect(many.slice(0, 48)).toEqual(records);
  expect(new Set(many.map(({ id }) => id)).size).toBe(10_000);
  expect(new Set(cellsOf('Name', many)).size).toBe(10_000);
  const years = new Set(cellsOf('Start Date', many).map((start) => String(start).slice(0, 4)));
  expect(years.size).toBeGreaterThanOrEqual(10);
  expect(many.every(({ createdTime }) => createdTime < today)).toBe(true);
});

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

test('weekdays and weekends in names are true, whatever day it is', () => {
  // Of each month each weekday.
  for (let days = 0; days < 400; days += 4) {
    const day = addDays(today, days);
    for (const { fields } of sampleRecords({ today: day, count: 200 })) {
      const [name, start] = [String(fields.Name), String(fields['Start Date'])];
      const end = String(fields['End Date'] ?? start);
      const named = weekdays.find((weekday) => name.includes(weekday));
      if (named !== undefined) expect([start, weekdayOf(start)], name).toEqual([end, named]);
      if (/\bweekend\b/i.test(name)) expect(daysFrom(start, end), name).toContain('Sunday');
    }
  }
});

test('no two events of a section have the same logo, whatever day it is', () => {
  for (const days of [0, 1, 2, 3, 4, 5, 6, 50, 300]) {
    const day = addDays(today, days);
    const sections = Object.groupBy(sampleRecords({ today: day }), ({ fields }) =>
      String(fields['Start Date']) > day
        ? 'upcoming'
        : String(fields['End Date'] ?? '~') < day
          ? 'ended'
          : `ongoing, ${fields['End Date'] === undefined}`,
    );
    for (const section of Object.values(sections)) {
      const files = cellsOf('Logo', section).flat().filter(isStoredAttachment);
      const names = files.map(({ file }) => file);
      expect(names).toEqual([...new Set(names)]);
    }
  }
});

test('one event is cancelled, one postponed, and one was moved online', () => {
  expect(cellsOf('State').filter(Boolean).toSorted()).toEqual([
    'Cancelled',
    'Moved online',
    'Postponed',
  ]);
});

function weekdayOf(date: string): string | undefined {
  return weekdays[new Date(date).getUTCDay()];
}

function daysFrom(start: string, end: string): (string | undefined)[] {
  const days: (string | undefined)[] = [];
  for (let date = start; date <= end; date = addDays(date, 1)) days.push(weekdayOf(date));
  return days;
}
