import type { MarqueeEvent } from '#lib/events/schema.ts';
import { EventCard } from './event-card.tsx';

type EventSectionProps = Readonly<{
  title: string;
  events: readonly MarqueeEvent[];
  /** However many there are, the page stays one that can be read. */
  shownMax: number;
  today: string;
}>;

/** A part of the directory; nothing at all where it has no events. */
export function EventSection({ title, events, shownMax, today }: EventSectionProps) {
  if (events.length === 0) return null;
  const id = title.toLowerCase().replace(/\W+/g, '-');
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title} <span className="count">{events.length}</span>
      </h2>
      <ul className="event-grid">
        {events.slice(0, shownMax).map((event) => (
          <li key={event.id}>
            <EventCard event={event} today={today} />
          </li>
        ))}
      </ul>
      {events.length > shownMax && (
        <p>
          {events.length - shownMax} more are in the <a href="/api/v1/events">JSON list</a>.
        </p>
      )}
    </section>
  );
}
