import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toEvent } from '#lib/events/source/airtable/to-event.ts';
import { makeSnapshot } from './snapshot-factory.ts';

export type LocalTime = readonly [date: string, time: string, zone: string];

/** The nights of the two clock changes of 2026 in eight time zones. */
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

/** 208 local times, many of which a clock change skips or repeats. */
export const clockChangeTimes: readonly LocalTime[] = Object.entries(clockChanges).flatMap(
  ([zone, dates]) =>
    dates.flatMap((date) => timesOfNight.map((time): LocalTime => [date, time, zone])),
);

/** An event for each of these times, in their order, as the table has them. Each ends at 23:45 there. */
export async function createTimedEvents(
  times: readonly LocalTime[],
  today: string,
): Promise<readonly MarqueeEvent[]> {
  const drafts = times.flatMap(([date, time, zone], index) => {
    const hours = { 'Start Time': time, 'End Time': '23:45', 'Time Zone': zone };
    const fields = { Name: `Event ${index}`, 'Start Date': date, 'End Date': date, ...hours };
    const id = `rec${String(index).padStart(14, '0')}`;
    return toEvent({ id, createdTime: '2026-01-01T00:00:00.000Z', fields }, 'UTC').draft ?? [];
  });
  return (await makeSnapshot(drafts, today)).events;
}
