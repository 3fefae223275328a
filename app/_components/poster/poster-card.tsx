import type { CSSProperties } from 'react';
import type { DirectoryEvent } from '#lib/events/view/directory-view.ts';
import { SaveButton } from '../saved/save-button.tsx';
import type { Urgency } from './picture.tsx';
import { Poster } from './poster.tsx';
import { PosterFoot, PosterWhen } from './poster-words.tsx';

type PosterCardProps = Readonly<{
  event: DirectoryEvent;
  today: string;
  urgency: Urgency;
  /** Its width in the wall. */
  place: CSSProperties;
}>;

// Wider than the card: `object-fit: cover` crops the sides of landscape pictures.
const sizes = '(width < 44rem) 26rem, 38rem';

/** One event on the wall. The card links to the event's page, its button to the event's own site. */
export function PosterCard({ event, today, urgency, place }: PosterCardProps) {
  return (
    <li className="wall-cell" style={place}>
      <article data-status={event.status}>
        <Poster
          event={event}
          className="poster-card"
          sizes={sizes}
          urgency={urgency}
          when={<PosterWhen event={event} today={today} />}
        >
          <h3 className="poster-name">
            <a href={`/events/${event.slug}`}>{event.name}</a>
          </h3>
          <PosterFoot event={event} />
          <SaveButton event={event} className="poster-save" hasWord={false} />
        </Poster>
      </article>
    </li>
  );
}
