import { firstDayOf, lastDayOf, toMonth } from '../../model/months.ts';
import type { MarqueeEvent } from '../../model/schema.ts';
import { type Filters, toListFilters } from '../../query/filters.ts';
import { selectEvents } from '../../search/select-events.ts';
import type { EventsSnapshot } from '../../source/snapshot.ts';

/** The closest other month with events. */
export type NearMonth = Readonly<{ month: string; event: MarqueeEvent }>;

export type SelectedMonth = Readonly<{
  /** Events that match the filters, of any month. */
  events: readonly MarqueeEvent[];
  /** The closest events before and after the month. */
  before: NearMonth | null;
  after: NearMonth | null;
}>;

/** The events of the month view, and those closest to the month. */
export function selectMonth(
  snapshot: EventsSnapshot,
  { filters, month }: Readonly<{ filters: Filters; month: string }>,
): SelectedMonth {
  const events = selectEvents(snapshot, { ...toListFilters(filters), order: 'asc' });
  const after = events.find(({ startDate }) => startDate > lastDayOf(month));
  const before = events.reduce<MarqueeEvent | undefined>(
    (last, event) => (isBefore(event, month) && ends(event) >= ends(last) ? event : last),
    undefined,
  );
  return {
    events,
    before: before ? { month: toMonth(ends(before)), event: before } : null,
    after: after ? { month: toMonth(after.startDate), event: after } : null,
  };
}

function isBefore({ endDate }: MarqueeEvent, month: string): boolean {
  return endDate !== null && endDate < firstDayOf(month);
}

function ends(event: MarqueeEvent | undefined): string {
  return event?.endDate ?? '';
}
