import type { MarqueeEvent } from '#lib/events/schema.ts';
import { EventCard } from './event-card.tsx';

type EventSectionProps = Readonly<{
  title: string;
  events: readonly MarqueeEvent[];
  today: string;
}>;

/** A part of the directory; nothing at all where it has no events. */
export function EventSection({ title, events, today }: EventSectionProps) {
  if (events.length === 0) return null;
  const id = title.toLowerCase().replace(/\W+/g, '-');
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title} <span className="count">{events.length}</span>
      </h2>
      <ul className="event-grid">
        {events.map((event) => (
          <li key={event.id}>
            <EventCard event={event} today={today} />
          </li>
        ))}
      </ul>
    </section>
  );
}
