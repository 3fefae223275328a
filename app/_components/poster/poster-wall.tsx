import type { CSSProperties } from 'react';
import type { DirectoryEvent } from '#lib/events/view/directory/directory-event.ts';
import {
  columnCounts,
  toPosterSize,
  toWallWidths,
} from '#lib/representations/theming/poster-size.ts';
import { SaveButton } from '../saved/save-button.tsx';
import type { Urgency } from './picture.tsx';
import { Poster } from './poster.tsx';
import { PosterFoot, PosterWhen } from './poster-words.tsx';
import './wall.css';

type PosterWallProps = Readonly<{
  events: readonly DirectoryEvent[];
  today: string;
  /** How many are above the fold: their pictures load first. */
  firstCount: number;
  /** One level below the title that is above them. */
  nameLevel?: 'h3' | 'h4';
}>;

/** Posters of unequal width in lines that fill the page. They read line by line, and grow with their text. */
export function PosterWall({ events, today, firstCount, nameLevel = 'h3' }: PosterWallProps) {
  const places = toPlaces(events);
  return (
    <ul className="wall">
      {events.map((event, index) => (
        <PosterCard
          key={event.id}
          event={event}
          today={today}
          nameLevel={nameLevel}
          urgency={index >= firstCount ? 'later' : index === 0 ? 'first' : 'soon'}
          place={places[index] ?? {}}
        />
      ))}
    </ul>
  );
}

// Widths for each number of columns: a container query in wall.css picks one.
function toPlaces(events: readonly DirectoryEvent[]): CSSProperties[] {
  const weights = events.map((event) => toPosterSize(event).weight);
  const styles = events.map((): CSSProperties => ({}));
  for (const count of columnCounts) {
    toWallWidths(weights, count).forEach((width, index) => {
      const style = styles[index];
      if (style) style[`--at-${count}`] = `${width}%`;
    });
  }
  return styles;
}

type PosterCardProps = Readonly<{
  event: DirectoryEvent;
  today: string;
  urgency: Urgency;
  /** Its width in the wall. */
  place: CSSProperties;
  nameLevel: 'h3' | 'h4';
}>;

// Wider than the card: `object-fit: cover` crops the sides of landscape pictures.
const sizes = '(width < 44rem) 26rem, 38rem';

/** One event on the wall. The card links to the event's page, its button to the event's own site. */
function PosterCard({ event, today, urgency, place, nameLevel: Name }: PosterCardProps) {
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
