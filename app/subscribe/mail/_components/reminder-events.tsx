import { compareText } from '#lib/events/model/dates.ts';
import { type EventsSnapshot, findEvent } from '#lib/events/source/snapshot.ts';
import { EventLine } from '../../../_components/events/event-line.tsx';

type ReminderEventsProps = Readonly<{ eventIds: readonly string[]; snapshot: EventsSnapshot }>;

/** The events that somebody is reminded of, soonest first. */
export function ReminderEvents({ eventIds, snapshot }: ReminderEventsProps) {
  const events = eventIds.flatMap((id) => findEvent(snapshot, id) ?? []);
  return (
    <ul className="event-lines">
      {events
        .toSorted((a, b) => compareText(a.startDate, b.startDate))
        .map((event) => (
          <EventLine key={event.id} event={event} today={snapshot.day} />
        ))}
    </ul>
  );
}
