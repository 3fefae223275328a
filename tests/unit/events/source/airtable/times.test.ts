import { expect, test } from 'vitest';
import { convertRow } from '../../../../support/airtable/convert-row.ts';

const convert = (cells: Readonly<Record<string, unknown>>) => convertRow(cells, 'Europe/Lisbon');

const day = { 'Start Date': '2026-11-24', 'End Date': '2026-11-24' };

test('a start, an end and a zone of its own', () => {
  const cells = { 'Start Time': '18:30', 'End Time': '9 pm', 'Time Zone': 'Europe/Brussels' };
  expect(convert({ ...day, ...cells })).toMatchObject({
    startTime: '18:30',
    endTime: '21:00',
    timeZone: 'Europe/Brussels',
    startsAt: '2026-11-24T18:30:00+01:00',
    endsAt: '2026-11-24T21:00:00+01:00',
    reasons: [],
  });
});

test('without a zone of its own, a time is one of the site', () => {
  const withoutEnd = convert({ ...day, 'Start Time': '18:30' });
  expect(withoutEnd).toMatchObject({ timeZone: 'Europe/Lisbon', endTime: null, endsAt: null });
  expect(withoutEnd.startsAt).toBe('2026-11-24T18:30:00+00:00');
  expect(convert({ ...day, Schedule: '19:00 Doors' }).timeZone).toBe('Europe/Lisbon');
});

test('a zone without times stays, and neither gives none', () => {
  expect(convert({ ...day, 'Time Zone': 'Asia/Tokyo' })).toMatchObject({
    timeZone: 'Asia/Tokyo',
    startsAt: null,
  });
  expect(convert(day).timeZone).toBeNull();
});

test('with a zone that cannot be read, a time is shown as it is written, and is no moment', () => {
  expect(convert({ ...day, 'Start Time': '18:30', 'Time Zone': 'Mars/Olympus' })).toMatchObject({
    startTime: '18:30',
    timeZone: null,
    startsAt: null,
    reasons: ['Time Zone: unknown_time_zone'],
  });
});

const summer = { 'Start Date': '2026-07-24', 'End Date': '2026-07-24', 'Start Time': '18:00' };
const us = { Country: 'United States' };

test.for<[string, object, string | null]>([
  ['Europe/Brussels', {}, '2026-07-24T18:00:00+02:00'],
  ['europe / brussels', {}, '2026-07-24T18:00:00+02:00'],
  ['UTC+2', {}, '2026-07-24T18:00:00+02:00'],
  ['GMT-5', {}, '2026-07-24T18:00:00-05:00'],
  ['+05:30', {}, '2026-07-24T18:00:00+05:30'],
  ['UTC', {}, '2026-07-24T18:00:00+00:00'],
  // Names of standard time mean the zone, in July, too.
  ['CET', {}, '2026-07-24T18:00:00+02:00'],
  ['CEST', {}, '2026-07-24T18:00:00+02:00'],
  ['EST', {}, '2026-07-24T18:00:00-04:00'],
  ['PT', {}, '2026-07-24T18:00:00-07:00'],
  ['JST', {}, '2026-07-24T18:00:00+09:00'],
  // Arizona has no summer time.
  ['MST', { ...us, Latitude: 33.45, Longitude: -112.07 }, '2026-07-24T18:00:00-07:00'],
  ['London', {}, '2026-07-24T18:00:00+01:00'],
  ['Berlin time', {}, '2026-07-24T18:00:00+02:00'],
  ['Japan', {}, '2026-07-24T18:00:00+09:00'],
  // Of several meanings.
  ['BST', { Country: 'United Kingdom' }, '2026-07-24T18:00:00+01:00'],
  ['BST', { Country: 'Bangladesh' }, '2026-07-24T18:00:00+06:00'],
  ['BST', {}, null],
  ['IST', { Country: 'India' }, '2026-07-24T18:00:00+05:30'],
  ['IST', { Country: 'Ireland' }, '2026-07-24T18:00:00+01:00'],
  ['IST', {}, null],
  ['CST', us, '2026-07-24T18:00:00-05:00'],
  ['CST', { Country: 'China' }, '2026-07-24T18:00:00+08:00'],
  ['CDT', {}, '2026-07-24T18:00:00-05:00'],
  ['PST', {}, '2026-07-24T18:00:00-07:00'],
  ['PST', { Country: 'Philippines' }, '2026-07-24T18:00:00+08:00'],
  ['CDT', { Country: 'Canada' }, '2026-07-24T18:00:00-05:00'],
  ['CDT', { City: 'Winnipeg', Country: 'Canada' }, '2026-07-24T18:00:00-05:00'],
  ['CDT', { City: 'New York', ...us }, '2026-07-24T18:00:00-05:00'],
  ['ART', { Country: 'Argentina' }, '2026-07-24T18:00:00-03:00'],
  ['United States', {}, null],
  ['local time', {}, null],
  // As Windows, Outlook and calendars name them.
  ['W. Europe Standard Time', {}, '2026-07-24T18:00:00+02:00'],
  ['Romance Standard Time', {}, '2026-07-24T18:00:00+02:00'],
  ['Tokyo Standard Time', {}, '2026-07-24T18:00:00+09:00'],
  ['Romance Daylight Time', {}, '2026-07-24T18:00:00+02:00'],
  ['Central America Standard Time', {}, '2026-07-24T18:00:00-06:00'],
  ['Central Standard Time (Mexico)', {}, '2026-07-24T18:00:00-06:00'],
  ['Cen. Australia Standard Time', {}, '2026-07-24T18:00:00+09:30'],
  ['Nepal Standard Time', {}, '2026-07-24T18:00:00+05:45'],
  ['Turkey Standard Time', {}, '2026-07-24T18:00:00+03:00'],
  ['SA Eastern Standard Time', {}, '2026-07-24T18:00:00-03:00'],
  ['Russia Time Zone 3', {}, '2026-07-24T18:00:00+04:00'],
  [
    'Mountain Standard Time',
    { ...us, Latitude: 33.45, Longitude: -112.07 },
    '2026-07-24T18:00:00-07:00',
  ],
  ['(UTC+09:00) Osaka, Sapporo, Tokyo', {}, '2026-07-24T18:00:00+09:00'],
  ['GMT Standard Time', {}, '2026-07-24T18:00:00+01:00'],
  ['(UTC-05:00) Eastern Time (US & Canada)', {}, '2026-07-24T18:00:00-04:00'],
  ['(GMT+01:00) Amsterdam, Berlin, Rome', {}, '2026-07-24T18:00:00+02:00'],
  ['/mozilla.org/20050126_1/America/New_York', {}, '2026-07-24T18:00:00-04:00'],
  ['Asia/Tokyo (JST)', {}, '2026-07-24T18:00:00+09:00'],
  ['UTC+05:30 (India)', {}, '2026-07-24T18:00:00+05:30'],
  ['Chicago, IL', {}, '2026-07-24T18:00:00-05:00'],
  ['Slovak Republic', {}, '2026-07-24T18:00:00+02:00'],
  ['Deutschland', {}, '2026-07-24T18:00:00+02:00'],
  ['Kiev', {}, '2026-07-24T18:00:00+03:00'],
  ['asia/calcutta', {}, '2026-07-24T18:00:00+05:30'],
])('the zone %s with %j', ([zone, place, startsAt]) => {
  const cells = { ...summer, Format: 'In-person', ...place, 'Time Zone': zone };
  const { reasons, ...event } = convert(cells);
  expect(event).toMatchObject({ startTime: '18:00', startsAt });
  expect(reasons).toEqual(startsAt === null ? ['Time Zone: unknown_time_zone'] : []);
});

test.for<[object, string]>([
  [{ Country: 'Japan' }, 'Asia/Tokyo'],
  [{ Country: 'United States', Latitude: 40.71, Longitude: -74.01 }, 'America/New_York'],
  [{ City: 'Leeds, England' }, 'Europe/London'],
  [{ City: 'Chicago', Country: 'US' }, 'America/Chicago'],
  [{ City: 'Monterrey, NL, Mexico' }, 'America/Monterrey'],
  [{ City: 'Washington', Region: 'DC' }, 'America/New_York'],
  // Of a country with several zones nothing follows, nor of a city that is another one.
  [us, 'Europe/Lisbon'],
  [{ City: 'Portland, ME' }, 'Europe/Lisbon'],
  [{}, 'Europe/Lisbon'],
])('without a zone, the place %j gives %s', ([place, timeZone]) => {
  expect(convert({ ...summer, Format: 'In-person', ...place })).toMatchObject({ timeZone });
});

test.for<[string | number, string | null, string | null, string | null]>([
  ['18:00:00 CEST', '18:00', null, 'Europe/Brussels'],
  ['19:00 CET', '19:00', null, 'Europe/Brussels'],
  ['6pm PT', '18:00', null, 'America/Los_Angeles'],
  ['18:00-20:00', '18:00', '20:00', 'Europe/Lisbon'],
  ['6–8 pm', '18:00', '20:00', 'Europe/Lisbon'],
  ['18:00 - 20:00 CET', '18:00', '20:00', 'Europe/Brussels'],
  [66_600, '18:30', null, 'Europe/Lisbon'],
  ['18h30', '18:30', null, 'Europe/Lisbon'],
  ['18.30 Uhr', '18:30', null, 'Europe/Lisbon'],
  ['noon', '12:00', null, 'Europe/Lisbon'],
  ['midnight', '00:00', null, 'Europe/Lisbon'],
  ['7 pm - 9:30', '19:00', '21:30', 'Europe/Lisbon'],
  ['10 pm - 2:00', '22:00', '02:00', 'Europe/Lisbon'],
  ['오후 7시~9시', '19:00', '21:00', 'Europe/Lisbon'],
  ['19:00〜21:00', '19:00', '21:00', 'Europe/Lisbon'],
  ['18:00 XYZT', '18:00', null, null],
])('the time %s', ([cell, startTime, endTime, timeZone]) => {
  const event = convert({ ...day, 'Start Time': cell });
  expect(event).toMatchObject({ startTime, endTime, timeZone });
  expect(event.startsAt === null).toBe(timeZone === null);
});

test.for([
  ['18:30', '18:30', []],
  ['6:30 pm', '18:30', []],
  ['6:30PM', '18:30', []],
  ['6 p.m.', '18:00', []],
  ['12 am', '00:00', []],
  ['12:15 pm', '12:15', []],
  ['08:05:00', '08:05', []],
  ['18.30h', '18:30', ['time_rewritten']],
  ['18h30', '18:30', ['time_rewritten']],
  ['18 h', '18:00', ['time_rewritten']],
  ['18:30 Uhr', '18:30', ['time_rewritten']],
  ['18:30 pm', '18:30', ['time_rewritten']],
  ['１８：３０', '18:30', []],
  ['١٨:٣٠', '18:30', ['time_rewritten']],
  ['오후 7:00', '19:00', ['time_rewritten']],
  ['오전 10시', '10:00', ['time_rewritten']],
  ['18시 30분', '18:30', ['time_rewritten']],
  ['午後7時30分', '19:30', ['time_rewritten']],
  ['19時', '19:00', ['time_rewritten']],
  ['19時半', '19:30', ['time_rewritten']],
  ['19:00頃', '19:00', ['time_rewritten']],
  ['下午3:30', '15:30', ['time_rewritten']],
  ['ab 19:00 Uhr', '19:00', ['time_rewritten']],
  ['from 7:30 pm', '19:30', ['time_rewritten']],
  ['7pm onwards', '19:00', ['time_rewritten']],
  ['à partir de 19h', '19:00', ['time_rewritten']],
  ['a partir de las 19:00', '19:00', ['time_rewritten']],
  ['kl. 19.00', '19:00', ['time_rewritten']],
  ['10am - late', '10:00', ['time_rewritten']],
  ['20:00 bis open end', '20:00', ['time_rewritten']],
  ['13:00hs', '13:00', ['time_rewritten']],
  ['10am-sunset', '10:00', ['time_rewritten']],
  ['6pm (no end time)', '18:00', ['time_rewritten']],
  ['19:00〜', '19:00', ['time_rewritten']],
  ['Doors 19:00, show 20:00', '19:00', ['time_rewritten']],
  ['Einlass 19:00, Beginn 20:00', '19:00', ['time_rewritten']],
  ['OPEN 18:00 / START 19:00', '18:00', ['time_rewritten']],
  ['doors: 6:30 PM; music: 7:30 PM', '18:30', ['time_rewritten']],
  ['Doors 1pm, starts 1:30pm', '13:00', ['time_rewritten']],
  ['7.30 for 8pm start', '19:30', ['time_rewritten']],
  ['7 - late', null, ['not_a_clock_time']],
  ['Room 19:00, table 4', null, ['not_a_clock_time']],
  ['30:00', null, ['not_a_clock_time']],
  ['18:60', null, ['not_a_clock_time']],
  ['13 am', null, ['not_a_clock_time']],
  ['18', null, ['not_a_clock_time']],
  ['evening', null, ['not_a_clock_time']],
  [18.5, null, ['not_a_clock_time']],
  // A date column with times: the clock time in the event's zone, of whatever day.
  ['2026-07-01T17:30:00.000Z', '18:30', []],
  ['2020-01-01T17:30:00.000Z', '17:30', []],
  ['2026-11-24T18:30', '18:30', []],
  ['2026-11-24T25:30:00Z', null, ['not_a_clock_time']],
  ['2026-11-24', null, ['not_a_clock_time']],
] as const)('the start time %j', ([cell, startTime, reasons]) => {
  const converted = convert({ ...day, 'Start Time': cell });
  expect(converted.startTime).toBe(startTime);
  expect(converted.reasons).toEqual(reasons.map((reason) => `Start Time: ${reason}`));
  expect(converted.startsAt === null).toBe(startTime === null);
});

test('an end before the start of the same day is on the next day', () => {
  expect(convert({ ...day, 'Start Time': '22:00', 'End Time': '02:00' })).toMatchObject({
    endDate: '2026-11-24',
    endsAt: '2026-11-25T02:00:00+00:00',
    reasons: [],
  });
  const days = { 'Start Date': '2026-11-24', 'End Date': '2026-11-26' };
  const long = convert({ ...days, 'Start Time': '22:00', 'End Time': '02:00' });
  expect(long.endsAt).toBe('2026-11-26T02:00:00+00:00');
});

test.for([
  ['18:00', '24:00', '2026-11-25T00:00:00+00:00', []],
  ['18:00', 'midnight', '2026-11-25T00:00:00+00:00', []],
  ['18:00', '25:00', '2026-11-25T01:00:00+00:00', ['End Time: time_rewritten']],
  ['23:00', '28:30', '2026-11-25T04:30:00+00:00', ['End Time: time_rewritten']],
  ['18:00-24:00', null, '2026-11-25T00:00:00+00:00', []],
  ['18:00〜26:00', null, '2026-11-25T02:00:00+00:00', ['Start Time: time_rewritten']],
  // Without a start, or at its hour, the clock alone would say the midnight before.
  [null, '24:00', '2026-11-24T23:59:00+00:00', ['End Time: time_rewritten']],
  ['00:00', '24:00', '2026-11-24T23:59:00+00:00', ['End Time: time_rewritten']],
] as const)('from %s to %s it ends at %s', ([start, end, endsAt, reasons]) => {
  const event = convert({ ...day, 'Start Time': start, 'End Time': end });
  expect(event).toMatchObject({ endDate: '2026-11-24', endsAt, reasons });
});

test('midnight is the end of the last one of several days', () => {
  const days = { 'Start Date': '2026-11-24', 'End Date': '2026-11-26' };
  expect(convert({ ...days, 'Start Time': '18:00', 'End Time': '24:00' })).toMatchObject({
    endDate: '2026-11-26',
    endsAt: '2026-11-26T23:59:00+00:00',
  });
});

test('a start at 25:00 is one in the night after its day', () => {
  const night = { startDate: '2026-11-25', startsAt: '2026-11-25T01:00:00+00:00' };
  expect(convert({ ...day, 'Start Time': '25:00' })).toMatchObject({
    ...night,
    endDate: '2026-11-25',
    reasons: ['Start Time: time_rewritten'],
  });
  expect(convert({ ...day, 'Start Time': '25:00', 'End Time': '28:00' })).toMatchObject({
    ...night,
    endsAt: '2026-11-25T04:00:00+00:00',
  });
});

test('an end at the start is none', () => {
  expect(convert({ ...day, 'Start Time': '20:00', 'End Time': '20:00' })).toMatchObject({
    endTime: null,
    reasons: ['End Time: end_is_start'],
  });
});

test('an end time without an end date is that of every day, and counted', () => {
  const cells = { 'Start Date': '2026-11-24', 'Start Time': '10:00', 'End Time': '18:00' };
  expect(convert(cells)).toMatchObject({
    startTime: '10:00',
    endTime: '18:00',
    endDate: null,
    endsAt: null,
    reasons: ['End Time: no_end_date'],
  });
});

test('an end that a clock change moves to the start is not written', () => {
  const skipped = { 'Start Date': '2026-03-29', 'End Date': '2026-03-29' };
  const zone = { 'Time Zone': 'Europe/Brussels' };
  expect(
    convert({ ...skipped, ...zone, 'Start Time': '02:15', 'End Time': '03:15' }),
  ).toMatchObject({ startsAt: '2026-03-29T03:15:00+02:00', endsAt: null });
});

test('no moment is after the year 9999', () => {
  const last = { 'Start Date': '9999-12-31', 'End Date': '9999-12-31' };
  const { startsAt, endsAt } = convert({ ...last, 'Start Time': '23:00', 'End Time': '01:00' });
  expect(startsAt).toBe('9999-12-31T23:00:00+00:00');
  expect(endsAt).toBeNull();
});

test('a schedule has a line for each entry', () => {
  const { schedule, reasons } = convert({
    ...day,
    Schedule: '19:00 Doors\n\n- 19.30 – **Talks**\n8:15 pm: Break\n23:00-23:30 Party\n00:30 Close',
  });
  expect(schedule).toEqual([
    { day: '2026-11-24', time: '19:00', title: 'Doors' },
    { day: '2026-11-24', time: '19:30', title: 'Talks' },
    { day: '2026-11-24', time: '20:15', title: 'Break' },
    { day: '2026-11-24', time: '23:00', title: 'Party (until 23:30)' },
    { day: '2026-11-25', time: '00:30', title: 'Close' },
  ]);
  expect(reasons).toEqual([]);
});

test('a schedule of several days names them', () => {
  const { schedule } = convert({
    'Start Date': '2026-11-24',
    'End Date': '2026-11-27',
    Schedule: '18:00 Doors\nDay 2: 10:00 Work\nThursday\n09:00 Breakfast\n2026-11-27 12:00 Prizes',
  });
  expect(schedule?.map(({ day, title }) => `${day} ${title}`)).toEqual([
    '2026-11-24 Doors',
    '2026-11-25 Work',
    '2026-11-26 Breakfast',
    '2026-11-27 Prizes',
  ]);
});

test('lines of a schedule without a time or a possible day are left out and counted', () => {
  const { schedule, reasons } = convert({
    ...day,
    Schedule: 'Bring cake\n25:00 Never\n19:00\n2027-01-01 10:00 Next year\n19:30 <b>Doors</b>',
  });
  expect(schedule).toEqual([{ day: '2026-11-24', time: '19:30', title: '<b>Doors</b>' }]);
  expect(reasons).toEqual(Array(4).fill('Schedule: not_a_schedule_line'));
  expect(convert({ ...day, Schedule: 'TBA' }).schedule).toBeNull();
});

test('a schedule of 500 lines is cut', () => {
  const { schedule, reasons } = convert({
    ...day,
    Schedule: `19:00 ${'x'.repeat(1000)}\n${'19:00 Doors\n'.repeat(499)}`,
  });
  expect(schedule).toHaveLength(100);
  expect(schedule?.[0]?.title).toHaveLength(200);
  expect(reasons).toEqual(['Schedule: schedule_shortened']);
});

test('an offset that stands in a time means itself where no zone is known', () => {
  const cells = { 'Start Date': '2027-07-02', 'Start Time': '2027-07-02T19:00:00-06:00' };
  expect(convert(cells)).toMatchObject({
    startDate: '2027-07-02',
    startTime: '19:00',
    startsAt: '2027-07-02T19:00:00-06:00',
  });
  // The place knows its zone.
  expect(convert({ ...cells, Country: 'Costa Rica' }).timeZone).toBe('America/Costa_Rica');
});
