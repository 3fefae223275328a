import type { Metadata } from 'next';
import { findEvent } from '#lib/events/source/snapshot.ts';
import { toDirectoryEvent } from '#lib/events/view/directory/directory-event.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { MessageHeader } from '../../../_components/notices.tsx';
import { PosterWall } from '../../../_components/poster/poster-wall.tsx';

export const metadata: Metadata = { title: 'No such event', robots: { index: false } };

type MissingPageProps = Readonly<{ params: Promise<{ nearest?: readonly string[] }> }>;

/** The 404 page for an unknown event, with the ids of those that may be meant. */
export default async function MissingPage({ params }: MissingPageProps) {
  const { nearest: ids = [] } = await params;
  const snapshot = await loadPageSnapshot(getServices());
  const nearest = ids.flatMap((id) => findEvent(snapshot, id) ?? []);
  return (
    <>
      <MessageHeader code="404" title="Event not found">
        It may have been renamed or removed. Check the URL for a typo.
      </MessageHeader>
      {nearest.length > 0 && (
        <section className="poster-section" aria-labelledby="nearest">
          <h2 id="nearest">Did you mean one of these?</h2>
          <PosterWall
            events={nearest.map(toDirectoryEvent)}
            today={snapshot.day}
            firstCount={nearest.length}
            hasWide={false}
          />
        </section>
      )}
    </>
  );
}
