import { addDays, weekdayOf } from '../../model/dates.ts';

const months =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** Events that start in the same week or month. */
export type TimeGroup<Event> = Readonly<{
  /** `This week`, `Next week`, `Later in December`, `January 2027`. */
  title: string;
  events: readonly Event[];
}>;

/**
 * Divides coming events by the time at which they start: this week, next week, the rest of the month, then
 * month by month. Weeks begin on Monday.
 * @param events by start date.
 */
export function toTimeGroups<Event extends Readonly<{ startDate: string }>>(
  events: readonly Event[],
  today: string,
): TimeGroup<Event>[] {
  const groups: { title: string; events: Event[] }[] = [];
  for (const event of events) {
    const title = toTitle(event.startDate, today);
    const last = groups.at(-1);
    if (last?.title === title) last.events.push(event);
    else groups.push({ title, events: [event] });
  }
  return groups;
}

function toTitle(date: string, today: string): string {
  // Days until Sunday, the last one of the week.
  const sunday = addDays(today, (7 - weekdayOf(today)) % 7);
  if (date <= sunday) return 'This week';
  const nextSunday = addDays(sunday, 7);
  if (date <= nextSunday) return 'Next week';
  const [year, month] = date.split('-').map(Number);
  const name = months[(month ?? 1) - 1] ?? '';
  if (date.slice(0, 7) === nextSunday.slice(0, 7)) return `Later in ${name}`;
  return year === Number(today.slice(0, 4)) ? name : `${name} ${year}`;
}
