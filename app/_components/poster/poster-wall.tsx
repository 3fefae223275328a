import type { CSSProperties } from 'react';
import type { DirectoryEvent } from '#lib/events/view/directory-view.ts';
import { toPosterSize } from '#lib/theming/poster-size.ts';
import { columnCounts, toWallLayout } from '#lib/theming/wall-layout.ts';
import { PosterCard } from './poster-card.tsx';
import './wall.css';

type PosterWallProps = Readonly<{
  events: readonly DirectoryEvent[];
  today: string;
  /** How many are above the fold: their pictures load first. */
  firstCount: number;
  /** Whether pinned events take two columns. */
  hasWide: boolean;
}>;

/** Height of a poster that takes two columns, in grid rows. */
const wideRows = 29;

/** A grid of posters of unequal height without gaps, for any number of columns. */
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

// Placement for each number of columns: a container query in wall.css picks one.
function toPlaces(events: readonly DirectoryEvent[], hasWide: boolean): CSSProperties[] {
  const cells = events.map((event) => {
    const isWide = hasWide && event.pinned;
    return { rows: isWide ? wideRows : toPosterSize(event).rows, isWide };
  });
  const styles = cells.map(({ rows }): CSSProperties => ({ '--rows': rows }));
  for (const count of columnCounts) {
    toWallLayout(cells, count).forEach(({ column, columns, rows }, index) => {
      const style = styles[index];
      if (style === undefined) return;
      // Defaults of wall.css are left out.
      style[`--at-${count}`] = columns === 1 ? column : `${column} / span ${columns}`;
      if (rows !== style['--rows']) style[`--rows-${count}`] = rows;
    });
  }
  return styles;
}
