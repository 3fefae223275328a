import type { CSSProperties } from 'react';
import type { DirectoryEvent } from '#lib/events/view/directory/directory-event.ts';
import { toTimeGroups } from '#lib/events/view/directory/sections.ts';
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
  /** Whether pinned events are wider. */
  hasWide: boolean;
  /** Whether the first poster of each week and month says so. */
  isDivided?: boolean;
}>;

/** Width of a pinned poster, in columns. */
const wideWeight = 1.9;

/** Posters of unequal width in lines that fill the page. They read line by line, and grow with their text. */
export function PosterWall(props: PosterWallProps) {
  const { events, today, firstCount, hasWide, isDivided = false } = props;
  const places = toPlaces(events, hasWide);
  const titles = isDivided ? toFirstTitles(events, today) : null;
  return (
    <ul className="wall" data-divided={isDivided || undefined}>
      {events.map((event, index) => (
        <PosterCard
          key={event.id}
          event={event}
          today={today}
          {...(titles && { time: titles.get(event) ?? '' })}
          urgency={index >= firstCount ? 'later' : index === 0 ? 'first' : 'soon'}
          place={places[index] ?? {}}
        />
      ))}
    </ul>
  );
}

// The title of each week or month, at its first event.
function toFirstTitles(events: readonly DirectoryEvent[], today: string) {
  const groups = toTimeGroups(events, today);
  return new Map(groups.map(({ title, events: [first] }) => [first, title]));
}

// Widths for each number of columns: a container query in wall.css picks one.
function toPlaces(events: readonly DirectoryEvent[], hasWide: boolean): CSSProperties[] {
  const weights = events.map((event) =>
    hasWide && event.pinned ? wideWeight : toPosterSize(event).weight,
  );
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
  /** The week or month that begins with it; empty within one; undefined where the wall is not divided. */
  time?: string;
}>;

// Wider than the card: `object-fit: cover` crops the sides of landscape pictures.
const sizes = '(width < 44rem) 26rem, 38rem';

/** One event on the wall. The card links to the event's page, its button to the event's own site. */
function PosterCard({ event, today, urgency, place, time }: PosterCardProps) {
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
