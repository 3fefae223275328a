import type { NearEvents } from '#lib/events/view/directory/near-events.ts';
import { PosterWall } from '../_components/poster/poster-wall.tsx';

type NoEventsProps = Readonly<{
  isFiltered: boolean;
  near: NearEvents | null;
  today: string;
}>;

/** The empty state of the directory. */
export function NoEvents({ isFiltered, near, today }: NoEventsProps) {
  return (
    <>
      <div className="no-events">
        <h2>{isFiltered ? 'Nothing found' : 'No events yet'}</h2>
        {isFiltered ? (
          <p>
            Try fewer words, remove a filter, or <a href="/">show all events</a>.
          </p>
        ) : (
          <p>
            <a href="/subscribe">Subscribe</a>, and you’ll hear about the first one.
          </p>
        )}
      </div>
      {isFiltered && near && (
        <section className="poster-section" aria-labelledby="near">
          <h2 id="near">{near.title}</h2>
          <PosterWall events={near.events} today={today} firstCount={0} hasWide={false} />
        </section>
      )}
    </>
  );
}
