import type { Metadata } from 'next';
import { findNearest } from '#lib/events/nearest.ts';
import { toWallEvent } from '#lib/events/wall.ts';
import { getServices } from '#lib/services.ts';
import { NotHere } from '../../_components/not-here.tsx';
import { PosterWall } from '../../_components/poster-wall.tsx';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = { title: 'No such event', robots: { index: false } };

type MissingPageProps = Readonly<{ params: Promise<{ slug: string }> }>;

const nearestMax = 4;

/** Stands in for an event that does not exist; the front sends it as a 404. */
export default async function MissingPage({ params }: MissingPageProps) {
  const slug = toText((await params).slug);
  const { events, day } = await getServices().events.current();
  const nearest = findNearest(events, slug, nearestMax);
  return (
    <>
      <NotHere title="No event has this address">
        An event that is renamed moves to a new address. Its id never changes.
      </NotHere>
      {nearest.length > 0 && (
        <section className="wall-section" aria-labelledby="nearest">
          <h2 id="nearest">Is it one of these?</h2>
          <PosterWall
            events={nearest.map(toWallEvent)}
            today={day}
            firstCount={nearestMax}
            hasWide={false}
          />
        </section>
      )}
    </>
  );
}

function toText(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
