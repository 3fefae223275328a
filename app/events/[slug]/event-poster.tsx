import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { Poster } from '../../_components/poster/poster.tsx';
import { PosterFoot, PosterWhen } from '../../_components/poster/poster-words.tsx';

type EventPosterProps = Readonly<{ event: MarqueeEvent; today: string }>;

/** The large poster at the top of an event's page. */
export function EventPoster({ event, today }: EventPosterProps) {
  return (
    <Poster
      event={event}
      className="event-poster"
      sizes="max(100vw, 30rem)"
      urgency="first"
      when={<PosterWhen event={event} today={today} />}
    >
      <h1 className="poster-name">
        <span>{event.name}</span>
      </h1>
      <PosterFoot event={event} />
    </Poster>
  );
}
