import { toStateInWords } from '#lib/events/view/event-facts.ts';
import { Poster } from '../../_components/poster/poster.tsx';
import type { StageEvent } from './stage-event.ts';

/** The large poster at the top of an event's page. */
export function EventPoster({ event }: Readonly<{ event: StageEvent }>) {
  const state = toStateInWords(event.state);
  return (
    <Poster
      event={event}
      className="event-poster"
      sizes="(width < 46rem) 40rem, 70vw"
      urgency="first"
      when={
        state && (
          <p className="event-state" lang="en" dir="ltr">
            {state}
          </p>
        )
      }
    >
      <h1 className="poster-name">
        <span>{event.name}</span>
      </h1>
    </Poster>
  );
}
