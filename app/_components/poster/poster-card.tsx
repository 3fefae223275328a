import type { CSSProperties } from 'react';
import type { DirectoryEvent } from '#lib/events/view/directory/directory-view.ts';
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
  /** The week or month that begins with it; empty within one; undefined where the wall is not divided. */
  time?: string;
}>;

// Wider than the card: `object-fit: cover` crops the sides of landscape pictures.
const sizes = '(width < 44rem) 26rem, 38rem';

/** One event on the wall. The card links to the event's page, its button to the event's own site. */
export function PosterCard({ event, today, urgency, place, time }: PosterCardProps) {
  // The names of events are one level below the time that they are in.
  const Name = time === undefined ? 'h3' : 'h4';
  return (
    <li className="wall-cell" style={place}>
      {time !== undefined && <div className="wall-time">{time !== '' && <h3>{time}</h3>}</div>}
      <article data-status={event.status}>
        <Poster
          event={event}
          className="poster-card"
          sizes={sizes}
          urgency={urgency}
          when={<PosterWhen event={event} today={today} />}
        >
          <Name className="poster-name">
            <a href={`/events/${event.slug}`}>{event.name}</a>
          </Name>
          <PosterFoot event={event} today={today} />
          <SaveButton event={event} className="poster-save" hasWord={false} />
        </Poster>
      </article>
    </li>
  );
}
