import type { CSSProperties } from 'react';
import type { DirectoryEvent } from '#lib/events/view/directory-view.ts';
import { toPosterFormat } from '#lib/theming/poster-size.ts';
import { columnCounts, toWallLayout } from '#lib/theming/wall-layout.ts';
import { PosterCard } from './poster-card.tsx';
import './wall.css';

type PosterWallProps = Readonly<{
  events: readonly DirectoryEvent[];
  today: string;
  /** How many are in view before anyone scrolls: their pictures are fetched first. */
  firstCount: number;
  /** Whether pinned ones take two columns. */
  hasWide: boolean;
}>;

/** Rows of a poster that takes two columns. */
const wideRows = 29;

/** Posters side by side, without gaps, whatever the width of the wall. */
export function PosterWall({ events, today, firstCount, hasWide }: PosterWallProps) {
  const places = toPlaces(events, hasWide);
  return (
    <ul className="wall">
      {events.map((event, index) => (
        <PosterCard
          key={event.id}
          event={event}
          today={today}
          urgency={index >= firstCount ? 'later' : index === 0 ? 'first' : 'soon'}
          place={places[index] ?? {}}
        />
      ))}
    </ul>
  );
}

// Column and rows for each number of columns: the style sheet picks those of the wall's own width.
function toPlaces(events: readonly DirectoryEvent[], hasWide: boolean): CSSProperties[] {
  const hangings = events.map((event) => {
    const isWide = hasWide && event.pinned;
    return { rows: isWide ? wideRows : toPosterFormat(event).rows, isWide };
  });
  const styles = hangings.map(({ rows }): CSSProperties => ({ '--rows': rows }));
  for (const count of columnCounts) {
    toWallLayout(hangings, count).forEach(({ column, columns, rows }, index) => {
      const style = styles[index];
      if (style === undefined) return;
      // What the style sheet takes anyhow is left out: a page of posters has many of these.
      style[`--at-${count}`] = columns === 1 ? column : `${column} / span ${columns}`;
      if (rows !== style['--rows']) style[`--rows-${count}`] = rows;
    });
  }
  return styles;
}
