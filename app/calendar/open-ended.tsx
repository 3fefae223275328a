import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { AgendaEvent } from '../_components/events/agenda-event.tsx';

type OpenEndedProps = Readonly<{ events: readonly MarqueeEvent[]; today: string }>;

/** Most events in the list; the directory has all of them. */
const shownMax = 12;

/** Events without an end, which have no days to show in a grid. */
export function OpenEnded({ events, today }: OpenEndedProps) {
  if (events.length === 0) return null;
  const shown = events.slice(0, shownMax);
  return (
    <section className="open-ended" aria-labelledby="open-ended">
      <h2 id="open-ended">
        Open-ended <span className="count">{events.length}</span>
      </h2>
      <ul className="agenda-list">
        {shown.map((event) => (
          <AgendaEvent key={event.id} event={event} today={today} />
        ))}
      </ul>
      {shown.length < events.length && (
        <p className="month-total">
          {shown.length} of {events.length}. <a href="/?status=ongoing">See everything on now</a>
        </p>
      )}
    </section>
  );
}
