import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { Poster } from '../../_components/poster/poster.tsx';
import { PosterFoot, PosterWhen } from '../../_components/poster/poster-words.tsx';

type EventPosterProps = Readonly<{ event: MarqueeEvent; today: string }>;

/** The large poster at the top of an event's page. */
export function EventPoster({ event, today }: EventPosterProps) {
  return (
    <Poster event={event} className="event-poster" sizes="max(100vw, 30rem)" urgency="first">
      <h1 className="poster-name" dir="auto">
        {event.name}
      </h1>
      <PosterWhen event={event} today={today} />
      <PosterFoot event={event} />
    </Poster>
  );
}
