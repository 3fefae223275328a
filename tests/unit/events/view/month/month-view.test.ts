import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#lib/events/model/dates.ts';
import {
  type DatedEvent,
  type MonthView,
  slotsMax,
  toMonthView,
} from '#lib/events/view/month/month-view.ts';
import { linearGrowthMax, measureGrowth } from '../../../../support/measure-growth.ts';

/** Not an ISO week at either end: 1 December 2026 is a Tuesday. */
const december = { month: '2026-12', today: '2026-12-05' };

function make(id: string, startDate: string, endDate: string | null = startDate): DatedEvent {
  return { id, startDate, endDate, state: 'scheduled', inPerson: null };
}

/** Every bar as `date id slot days`, with `<` and `>` where the event goes on in another week. */
function listBars({ weeks }: MonthView<DatedEvent>): string[] {
  return weeks.flatMap(({ days }) =>
    days.flatMap(({ date, bars }) =>
      bars.map(({ event, slot, days: length, isStart, isEnd }) =>
        [isStart ? '' : '<', `${date} ${event.id} ${slot} ${length}`, isEnd ? '' : '>'].join(''),
      ),
    ),
  );
}

test('weeks run from Monday to Sunday, with the days of other months at both ends', () => {
  const { weeks } = toMonthView([], december);
  expect(weeks.map(({ days }) => days.length)).toEqual([7, 7, 7, 7, 7]);
  const days = weeks.flatMap((week) => week.days);
  expect([days[0]?.date, days[1]?.date, days.at(-1)?.date]).toEqual([
    '2026-11-30',
    '2026-12-01',
    '2027-01-03',
  ]);
  expect(days.filter(({ isInMonth }) => isInMonth)).toHaveLength(31);
  expect(days.filter(({ isToday }) => isToday).map(({ date }) => date)).toEqual(['2026-12-05']);
});

test('a February of four weeks has four rows', () => {
  // 1 February 2027 is a Monday.
  expect(toMonthView([], { month: '2027-02', today: '2026-12-05' }).weeks).toHaveLength(4);
});

test('an event over a weekend is a bar in two weeks', () => {
  const view = toMonthView([make('jam', '2026-12-12', '2026-12-14')], december);
  expect(listBars(view)).toEqual(['2026-12-12 jam 0 2>', '<2026-12-14 jam 0 1']);
});

test('an event that starts and ends on one day is one bar', () => {
  const view = toMonthView([make('talk', '2026-12-05')], december);
  expect(listBars(view)).toEqual(['2026-12-05 talk 0 1']);
});

test('an event of 400 days fills every week', () => {
  const view = toMonthView([make('year', '2026-06-01', '2027-07-05')], december);
  expect(listBars(view)).toEqual([
    '<2026-11-30 year 0 7>',
    '<2026-12-07 year 0 7>',
    '<2026-12-14 year 0 7>',
    '<2026-12-21 year 0 7>',
    '<2026-12-28 year 0 7>',
  ]);
});

test('events side by side share a slot, events at once do not', () => {
  const view = toMonthView(
    [
      make('a', '2026-12-07', '2026-12-08'),
      make('b', '2026-12-09', '2026-12-10'),
      make('c', '2026-12-08', '2026-12-09'),
    ],
    december,
  );
  expect(listBars(view)).toEqual(['2026-12-07 a 0 2', '2026-12-08 c 1 2', '2026-12-09 b 0 2']);
});

test('of 50 events on one day 4 are shown, and 46 counted', () => {
  const events = Array.from({ length: 50 }, (_, index) => make(`e${index}`, '2026-12-05'));
  const { weeks } = toMonthView(events, december);
  const day = weeks[0]?.days[5];
  expect(day).toMatchObject({ date: '2026-12-05', total: 50 });
  expect(day?.hidden).toHaveLength(46);
  expect(day?.bars).toHaveLength(4);
});

test('eight at once are all shown', () => {
  const events = Array.from({ length: 8 }, (_, index) => make(`e${index}`, '2026-12-05'));
  const { weeks } = toMonthView(events, december);
  expect(weeks[0]?.days[5]).toMatchObject({ hidden: [], total: 8 });
  expect(weeks[0]?.slots).toBe(8);
});

test('of what runs for weeks, one has a bar, the one that ends soonest; the others are counted once a week', () => {
  const evenings = Array.from({ length: 50 }, (_, index) => make(`e${index}`, '2026-12-05'));
  const long = Array.from({ length: 9 }, (_, index) =>
    make(`l${index}`, '2026-10-01', `2027-02-0${9 - index}`),
  );
  const { weeks } = toMonthView([...evenings, ...long], december);
  expect(weeks[0]?.days[5]?.total).toBe(59);
  expect(weeks[0]?.days.map(({ hidden }) => hidden.length)).toEqual([8, 0, 0, 0, 0, 46, 0]);
  expect(weeks[0]?.days[0]?.bars.map(({ event }) => event.id)).toEqual(['l8']);
  expect(weeks[0]?.slots).toBe(5);
});

test('what lasts a week at most has its own bar where it goes on', () => {
  const events = ['a', 'b', 'c'].map((id) => make(id, '2026-12-10', '2026-12-16'));
  const { weeks } = toMonthView(events, december);
  expect(weeks[2]?.days[0]?.bars).toHaveLength(3);
});

test('where space is short, an evening wins over what is on for months', () => {
  const long = Array.from({ length: 8 }, (_, index) =>
    make(`l${index}`, '2026-10-01', '2027-02-01'),
  );
  const { weeks } = toMonthView([...long, make('evening', '2026-12-10')], december);
  const shown = weeks[1]?.days.flatMap(({ bars }) => bars.map(({ event }) => event.id));
  expect(shown).toContain('evening');
});

test('an event without an end has a bar on its first day only, and is listed apart', () => {
  const view = toMonthView(
    [
      make('studio', '2026-12-02', null),
      make('old', '2020-01-01', null),
      make('later', '2027-01-05', null),
    ],
    december,
  );
  expect(listBars(view)).toEqual(['2026-12-02 studio 0 1>']);
  expect(view.openEnded.map(({ id }) => id)).toEqual(['old', 'studio']);
  expect(view.weeks[0]?.days.map(({ total }) => total)).toEqual([1, 1, 2, 2, 2, 2, 2]);
});

test('an event that runs for weeks and meets for three days marks those days in its bar', () => {
  const inPerson = { start: '2026-12-12', end: '2026-12-14', location: 'Lisbon' };
  const view = toMonthView([{ ...make('jam', '2026-12-01', '2026-12-20'), inPerson }], december);
  const bars = view.weeks.flatMap(({ days }) => days.flatMap((day) => day.bars));
  expect(bars.map((bar) => bar.inPerson)).toEqual([
    null,
    { offset: 5, days: 2 },
    { offset: 0, days: 1 },
  ]);
});

test('the total counts events of the month, not of the days around it', () => {
  const view = toMonthView(
    [
      make('november', '2026-11-30'),
      make('in', '2026-11-30', '2026-12-01'),
      make('january', '2027-01-02'),
    ],
    december,
  );
  expect(view.total).toBe(1);
});

const date = fc.integer({ min: -500, max: 60 }).map((offset) => addDays('2026-12-01', offset));
const anyEvent = fc
  .record({ start: date, length: fc.oneof(fc.nat(4), fc.nat(500)), isOpen: fc.boolean() })
  .map(({ start, length, isOpen }) => ({
    state: 'scheduled' as const,
    inPerson: null,
    startDate: start,
    endDate: isOpen && length > 400 ? null : addDays(start, length),
  }));
const anyEvents = fc
  .array(anyEvent, { maxLength: 40 })
  .map((events) => events.map((event, index) => ({ ...event, id: `rec${index}` })));

test('no two bars of a week overlap, and no bar leaves its week', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      for (const { days, slots } of toMonthView(events, december).weeks) {
        const taken = new Set<string>();
        days.forEach(({ bars }, column) => {
          for (const { slot, days: length } of bars) {
            expect(slot).toBeLessThan(slots);
            expect(column + length).toBeLessThanOrEqual(7);
            for (let at = column; at < column + length; at++) {
              expect(taken.has(`${at} ${slot}`)).toBe(false);
              taken.add(`${at} ${slot}`);
            }
          }
        });
        expect(slots).toBeLessThanOrEqual(slotsMax);
      }
    }),
  );
});

test('each event of a week is under a bar, counted as hidden once, or without an end and begun before', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      for (const { days } of toMonthView(events, december).weeks) {
        const [monday, sunday] = [days[0]?.date ?? '', days[6]?.date ?? ''];
        const here = events.filter(
          ({ startDate, endDate }) =>
            startDate <= sunday &&
            (endDate ?? sunday) >= monday &&
            !(endDate === null && startDate < monday),
        );
        const counted = days.reduce(
          (sum, { bars, hidden }) => sum + bars.length + hidden.length,
          0,
        );
        expect(counted).toBe(here.length);
      }
    }),
  );
});

test('a table of 10,000 events takes linear time', () => {
  const events = Array.from({ length: 10_000 }, (_, index) =>
    make(`e${index}`, addDays('2026-06-01', index % 180), addDays('2026-12-01', index % 90)),
  );
  const view = (some: typeof events) => toMonthView(some, december);
  expect(measureGrowth(events, view)).toBeLessThan(linearGrowthMax);
});
