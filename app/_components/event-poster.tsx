import type { MarqueeEvent } from '#lib/events/schema.ts';
import { Poster } from './poster.tsx';
import { PosterFoot, PosterWhen } from './poster-words.tsx';

type EventPosterProps = Readonly<{ event: MarqueeEvent; today: string }>;

/** The poster that an event's page begins with: the one on the wall, seen from near. */
export function EventPoster({ event, today }: EventPosterProps) {
  return (
    <Poster event={event} className="event-poster" sizes="max(100vw, 30rem)" isFirst>
      <h1 className="poster-name" dir="auto">
        {event.name}
      </h1>
      <PosterWhen event={event} today={today} />
      <PosterFoot event={event} />
    </Poster>
  );
}
