import type { Metadata } from 'next';
import { findNearestEvents } from '#lib/events/search/nearest-events.ts';
import { toDirectoryEvent } from '#lib/events/view/directory/directory-view.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { NotFoundNotice } from '../../../_components/notices.tsx';
import { PosterWall } from '../../../_components/poster/poster-wall.tsx';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = { title: 'No such event', robots: { index: false } };

type MissingPageProps = Readonly<{ params: Promise<{ slug: string }> }>;

const nearestMax = 4;

/** The 404 page for an unknown event. */
export default async function MissingPage({ params }: MissingPageProps) {
  const slug = toText((await params).slug);
  const { events, day } = await loadPageSnapshot(getServices());
  const nearest = findNearestEvents(events, slug, nearestMax);
  return (
    <>
      <NotFoundNotice title="Event not found">
        It may have been renamed or removed. Check the URL for a typo.
      </NotFoundNotice>
      {nearest.length > 0 && (
        <section className="poster-section" aria-labelledby="nearest">
          <h2 id="nearest">Did you mean one of these?</h2>
          <PosterWall
            events={nearest.map(toDirectoryEvent)}
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
