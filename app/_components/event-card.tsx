import type { MarqueeEvent } from '#lib/events/schema.ts';
import { toDatesInWords } from '#lib/formats/dates-in-words.ts';
import { formatNames } from './format-names.ts';

type EventCardProps = Readonly<{ event: MarqueeEvent; today: string }>;

/** One event in a list: its name, when, where. */
export function EventCard({ event, today }: EventCardProps) {
  return (
    <article className="event-card" data-event-id={event.id} data-status={event.status}>
      <h3>
        <a href={`/events/${event.slug}`}>{event.name}</a>
      </h3>
      <p className="event-dates">
        <time dateTime={event.startDate}>{toDatesInWords(event, today)}</time>
        {event.inPerson?.location != null && ` · ${event.inPerson.location}`}
      </p>
      <p className="event-kind">
        {[event.format && formatNames[event.format], ...event.projectTypes]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </article>
  );
}
