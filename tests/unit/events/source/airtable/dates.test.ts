import { expect, test } from 'vitest';
import { convertRow } from '../../../../support/airtable/convert-row.ts';

test.for<[string, string | null, string | null]>([
  // As Airtable writes them.
  ['2027-07-02', '2027-07-02', null],
  ['2027-07-02T02:00:00.000Z', '2027-07-02', '02:00'],
  ['2027-07-02T02:00:00+02:00', '2027-07-02', '00:00'],
  ['2027-07-02T22:30', '2027-07-02', '22:30'],
  ['2027-07-02 02:00:00 +0200', '2027-07-02', '00:00'],
  ['2027-07-02 02:00:00 UTC', '2027-07-02', '02:00'],
  ['2027-07-02 22:30:15', '2027-07-02', '22:30'],
  // The year first, or a dot: the order is certain.
  ['2026/12/05', '2026-12-05', null],
  ['2026.12.5', '2026-12-05', null],
  ['2026-7-5', '2026-07-05', null],
  ['20261205', '2026-12-05', null],
  ['05.12.2026', '2026-12-05', null],
  ['5. 12. 2026', '2026-12-05', null],
  ['05.12.2026 18:30', '2026-12-05', '18:30'],
  // Only one order is possible.
  ['25/12/2026', '2026-12-25', null],
  ['12/25/2026', '2026-12-25', null],
  ['05/05/2026', '2026-05-05', null],
  ['31-12-2026', '2026-12-31', null],
  // With the name of the month.
  ['5 Dec 2026', '2026-12-05', null],
  ['Sat, 5 Dec 2026 • 9:00 AM', '2026-12-05', '09:00'],
  ['5 Dec 2026 | 18:30', '2026-12-05', '18:30'],
  ['5 Dec ’26', '2026-12-05', null],
  ['5-Dec-2026', '2026-12-05', null],
  ['Dec 5, 2026', '2026-12-05', null],
  ['December 5th, 2026', '2026-12-05', null],
  ['Saturday, 5 December 2026', '2026-12-05', null],
  ['the 5th of December 2026', '2026-12-05', null],
  ['2026 Dec 5', '2026-12-05', null],
  ['Dec 5, 2026 at 6:30 pm', '2026-12-05', '18:30'],
  ['Dec 5, 2026 @ 6pm', '2026-12-05', '18:00'],
  ['05.12.2026, 17 Uhr', '2026-12-05', '17:00'],
  ['05.12.2026 ab 17:30 Uhr', '2026-12-05', '17:30'],
  ['5. Dezember 2026', '2026-12-05', null],
  ['Sa., 5. Dez. 2026', '2026-12-05', null],
  ['1er décembre 2026', '2026-12-01', null],
  ['5 de diciembre de 2026', '2026-12-05', null],
  ['5 grudnia 2026', '2026-12-05', null],
  // In East Asia, and with digits of other scripts.
  ['2027年7月1日', '2027-07-01', null],
  ['2027年12月24日（金）', '2027-12-24', null],
  ['2027年7月1日 19:00', '2027-07-01', '19:00'],
  ['2027년 7월 1일', '2027-07-01', null],
  ['2027년 7월 1일(목)', '2027-07-01', null],
  ['2027. 7. 1.', '2027-07-01', null],
  ['٢٠٢٧-٠٧-٠١', '2027-07-01', null],
  ['١ يوليو ٢٠٢٧', '2027-07-01', null],
  ['२०२७-०७-०१', '2027-07-01', null],
  ['２０２７／７／１', '2027-07-01', null],
  // Of two meanings, or of none.
  ['05/12/2026', null, null],
  ['5-12-2026', null, null],
  ['05.12.26', null, null],
  ['5 Dec', null, null],
  ['December 2026', null, null],
  ['31 Sep 2026', null, null],
  ['25.25.2026', null, null],
  ['5 Dec 2026 and 8 Dec 2026', null, null],
  // Of other calendars.
  ['๑ ธันวาคม ๒๕๗๐', null, null],
  ['۱۴۰۶/۰۴/۱۰', null, null],
  ['soon', null, null],
  [`5 Dec 2026${' '.repeat(200)}x`, null, null],
])('a start date of %s', ([text, startDate, time]) => {
  const event = convertRow({ 'Start Date': text, 'End Date': '2027-07-03T09:00:00Z' });
  expect(event.startDate ?? null).toBe(startDate);
  expect(event.startTime ?? null).toBe(time);
});

test('a date of two meanings is reported, and one in another notation is, too', () => {
  expect(convertRow({ 'Start Date': '05/12/2026' }).reasons).toEqual([
    'Start Date: ambiguous_start_date',
  ]);
  expect(convertRow({ 'Start Date': '5 Dec 2026' }).reasons).toEqual([
    'Start Date: date_rewritten',
  ]);
  expect(convertRow({ 'Start Date': '2027-07-02T02:00:00.000Z' }).reasons).toEqual([]);
  expect(convertRow({ 'Start Date': '2026-11-24', 'End Date': 'December 2026' })).toMatchObject({
    endDate: '2026-12-31',
    reasons: ['End Date: impossible_date'],
  });
});

test.for([
  ['July 1-3, 2027', '2027-07-01', '2027-07-03'],
  ['July 1 - 3, 2027', '2027-07-01', '2027-07-03'],
  ['1.–3. Juli 2027', '2027-07-01', '2027-07-03'],
  ['1st to 3rd July 2027', '2027-07-01', '2027-07-03'],
  ['June 30-July 2, 2027', '2027-06-30', '2027-07-02'],
  ['June 30- July 2, 2027', '2027-06-30', '2027-07-02'],
  ['Jun 30 – Jul 2, 2027', '2027-06-30', '2027-07-02'],
  ['30 June - 2 July 2027', '2027-06-30', '2027-07-02'],
  ['Thu, July 1 – Sat, July 3, 2027', '2027-07-01', '2027-07-03'],
  ['July 1, 2027 - July 3', '2027-07-01', '2027-07-03'],
  ['28 Dec 2027 – 2 Jan 2028', '2027-12-28', '2028-01-02'],
  ['Dec 28 - Jan 2, 2028', '2027-12-28', '2028-01-02'],
  ['2027-07-01 - 2027-07-03', '2027-07-01', '2027-07-03'],
  ['2027-01-01 - 2027-12-31', '2027-01-01', '2027-12-31'],
  ['2027-07-01/2027-07-03', '2027-07-01', '2027-07-03'],
  ['2027-07-01 to 2027-07-03', '2027-07-01', '2027-07-03'],
  ['2027/7/1〜2027/7/3', '2027-07-01', '2027-07-03'],
  ['2027年7月1日〜3日', '2027-07-01', '2027-07-03'],
  ['2027年7月1日～7月3日', '2027-07-01', '2027-07-03'],
  ['2027. 7. 1. ~ 7. 3.', '2027-07-01', '2027-07-03'],
  ['2027.07.01 ~ 07.03', '2027-07-01', '2027-07-03'],
  ['2027-07-01..2027-07-03', '2027-07-01', '2027-07-03'],
  ['01.07. - 03.07.2027', '2027-07-01', '2027-07-03'],
  ['01.07.2027-03.07.2027', '2027-07-01', '2027-07-03'],
  ['1.7.–3.7.2027', '2027-07-01', '2027-07-03'],
  ['13-15/07/2027', '2027-07-13', '2027-07-15'],
  ['1-3.7.2027', '2027-07-01', '2027-07-03'],
  ['01.07-03.07.2027', '2027-07-01', '2027-07-03'],
  ['13/7/2027 - 15/7/2027', '2027-07-13', '2027-07-15'],
  ['du 1 au 3 juillet 2027', '2027-07-01', '2027-07-03'],
  ['1 al 3 de julio de 2027', '2027-07-01', '2027-07-03'],
  ['vom 1. bis 3. Juli 2027', '2027-07-01', '2027-07-03'],
  ['2027.7.1-3', '2027-07-01', '2027-07-03'],
  ['1 Jul-3, 2027', '2027-07-01', '2027-07-03'],
  // Two days in a row.
  ['1. & 2.7.2027', '2027-07-01', '2027-07-02'],
  ['30./31.07.2027', '2027-07-30', '2027-07-31'],
  ['1/2 July 2027', '2027-07-01', '2027-07-02'],
  ['July 1 & 2, 2027', '2027-07-01', '2027-07-02'],
  ['Sat 3 & Sun 4 July 2027', '2027-07-03', '2027-07-04'],
  ['1 et 2 juillet 2027', '2027-07-01', '2027-07-02'],
  ['30 June and 1 July 2027', '2027-06-30', '2027-07-01'],
  ['July 3 & 10, 2027', null, null],
  ['3-1 July 2027', null, null],
  ['3 July - 1 July 2027', null, null],
  ['1/7 - 3/7/2027', null, null],
] as const)('%s are several days', ([text, ...days]) => {
  const { startDate = null, endDate = null } = convertRow({ 'Start Date': text });
  expect([startDate, endDate]).toEqual(days);
});

test('several days may have times, and an end of its own comes first', () => {
  expect(convertRow({ 'Start Date': '2027-07-01 10:00 - 2027-07-03 18:00' })).toMatchObject({
    startsAt: '2027-07-01T10:00:00+00:00',
    endsAt: '2027-07-03T18:00:00+00:00',
  });
  expect(convertRow({ 'Start Date': 'July 1 2027, 18:00 - 20:00' })).toMatchObject({
    startsAt: '2027-07-01T18:00:00+00:00',
    endsAt: '2027-07-01T20:00:00+00:00',
  });
  expect(convertRow({ 'Start Date': '8 et 9 mai 2027, 14h' })).toMatchObject({
    startTime: '14:00',
    endTime: null,
  });
  const days = { 'Start Date': '1–3 July 2027', 'End Date': '4 July 2027' };
  expect(convertRow(days).endDate).toBe('2027-07-04');
  expect(convertRow({ 'Start Date': '2027-07-01', 'End Date': '1–3 July 2027' }).endDate).toBe(
    '2027-07-03',
  );
});

test.for([
  ['7/31/2027', '8/12/2027', '2027-07-31', '2027-08-12'],
  ['31/07/2027', '12/08/2027', '2027-07-31', '2027-08-12'],
  ['07/08/2027', '8/13/2027', '2027-07-08', '2027-08-13'],
  ['07-08-2027', '13-08-2027', '2027-08-07', '2027-08-13'],
  // Before the start it cannot be.
  ['2027-07-01', '05/12/2027', '2027-07-01', '2027-12-05'],
] as const)(
  'of %s and %s one proves the order of the other',
  ([start, end, startDate, endDate]) => {
    const event = convertRow({ 'Start Date': start, 'End Date': end });
    expect(event).toMatchObject({ startDate, endDate });
    expect(event.reasons).toContain('End Date: date_rewritten');
  },
);

test.for([
  ['08/12/2027', 'ambiguous_date'],
  ['TBA', 'impossible_date'],
  ['August', 'impossible_date'],
] as const)('an end of %s is not known, so the event is not on for ever', ([end, reason]) => {
  expect(convertRow({ 'Start Date': '2027-07-01', 'End Date': end })).toMatchObject({
    endDate: '2027-07-01',
    reasons: [`End Date: ${reason}`],
  });
});

test.for(['rolling', 'Ongoing', 'until further notice'])('%s is no end', (end) => {
  expect(convertRow({ 'Start Date': '2027-07-01', 'End Date': end })).toMatchObject({
    endDate: null,
    reasons: [],
  });
});

const inNewYork = { 'Time Zone': 'America/New_York' };

test('a moment in a date cell is that moment in the zone of the event', () => {
  const start = '2027-07-02T02:00:00.000Z';
  const evening = {
    startDate: '2027-07-01',
    startTime: '22:00',
    startsAt: '2027-07-01T22:00:00-04:00',
    reasons: [],
  };
  expect(convertRow({ ...inNewYork, 'Start Date': start })).toMatchObject(evening);
  expect(convertRow({ ...inNewYork, 'Start Date': start, 'Start Time': start })).toMatchObject(
    evening,
  );
  const place = { City: 'New York', Country: 'US', Latitude: 40.71, Longitude: -74 };
  expect(convertRow({ ...place, 'Start Date': start })).toMatchObject(evening);
  expect(convertRow({ 'Start Date': start, 'Start Time': '10 pm EDT' })).toMatchObject(evening);
});

test('both ends as moments, over midnight and a clock change', () => {
  expect(
    convertRow({
      ...inNewYork,
      'Start Date': '2027-11-07T03:30:00.000Z',
      'End Date': '2027-11-07T07:00:00.000Z',
    }),
  ).toMatchObject({
    startDate: '2027-11-06',
    startTime: '23:30',
    endDate: '2027-11-07',
    endTime: '02:00',
    endsAt: '2027-11-07T02:00:00-05:00',
  });
});

test('midnights of the zone are those of whole days, and a time of its own comes first', () => {
  const days = { 'Start Date': '2027-07-02T04:00:00.000Z', 'End Date': '2027-07-04T04:00:00.000Z' };
  expect(convertRow({ ...inNewYork, ...days })).toMatchObject({
    startDate: '2027-07-02',
    endDate: '2027-07-04',
    startTime: null,
    endTime: null,
  });
  expect(convertRow({ ...inNewYork, ...days, 'Start Time': '18:30' })).toMatchObject({
    startsAt: '2027-07-02T18:30:00-04:00',
    endTime: null,
  });
  const untilMidnight = { ...days, 'Start Date': '2027-07-03T22:00:00.000Z' };
  expect(convertRow({ ...inNewYork, ...untilMidnight })).toMatchObject({
    startTime: '18:00',
    endsAt: '2027-07-04T00:00:00-04:00',
  });
});

test('days in person are those of the zone, too', () => {
  const { inPerson } = convertRow({
    ...inNewYork,
    Format: 'Both',
    'Start Date': '2027-07-01',
    'End Date': '2027-07-04',
    'In-Person Start': '2027-07-02T02:00:00.000Z',
    'In-Person End': '3 July 2027',
  });
  expect(inPerson).toMatchObject({ start: '2027-07-01', end: '2027-07-03' });
});

test('of a zone that cannot be read, a moment is one of the site without a moment of its own', () => {
  const unknown = { 'Start Date': '2027-07-02T02:00:00.000Z', 'Time Zone': 'Mars' };
  expect(convertRow(unknown)).toMatchObject({
    startDate: '2027-07-02',
    startTime: '02:00',
    startsAt: null,
  });
});

test('cells of more than a hundred characters are no times and no zones', () => {
  const long = (text: string) => `${text}${' '.repeat(2)}${'x'.repeat(100)}`;
  const event = convertRow({
    'Start Date': '2026-11-24',
    'End Date': '2026-11-24',
    'Start Time': long('18:30'),
    'Time Zone': long('Europe/Brussels'),
  });
  expect(event.startTime).toBeNull();
  expect(event.reasons).toEqual(['Start Time: not_a_clock_time', 'Time Zone: unknown_time_zone']);
  const zoneOf = (length: number) => {
    const zone = `Berlin (${'x'.repeat(length - 'Berlin ()'.length)})`;
    return convertRow({ 'Start Date': '2026-11-24', 'Start Time': '18:30', 'Time Zone': zone });
  };
  expect([zoneOf(100).timeZone, zoneOf(101).timeZone]).toEqual(['Europe/Berlin', null]);
});
