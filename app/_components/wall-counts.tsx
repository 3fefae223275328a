import type { Wall } from '#lib/events/wall.ts';

type WallCountsProps = Readonly<{ counts: Wall['counts']; isFiltered: boolean }>;

/** How many there are of each; said aloud when it changes. */
export function WallCounts({ counts, isFiltered }: WallCountsProps) {
  const { onNow, comingUp, past, all } = counts;
  const write = (count: number) => count.toLocaleString('en');
  return (
    <p className="wall-counts" role="status">
      {isFiltered && (
        <span className="wall-matches">
          {all === 0
            ? 'No event matches.'
            : `${write(all)} ${all === 1 ? 'matches' : 'match'}:`}{' '}
        </span>
      )}
      <strong data-lit={onNow > 0 || undefined}>{write(onNow)} on now</strong>{' '}
      <span>{write(comingUp)} coming up</span> <span>{write(past)} past</span>
    </p>
  );
}
