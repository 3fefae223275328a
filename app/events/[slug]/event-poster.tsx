import { Poster } from '../../_components/poster/poster.tsx';
import type { StageEvent } from './stage-event.ts';

/** The large poster at the top of an event's page. */
export function EventPoster({ event }: Readonly<{ event: StageEvent }>) {
  return (
    <Poster
      event={event}
      className="event-poster"
      sizes="(width < 46rem) 40rem, 70vw"
      urgency="first"
    >
      <h1 className="poster-name">
        <span>{event.name}</span>
      </h1>
    </Poster>
  );
}
