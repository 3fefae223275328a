import type { Metadata } from 'next';
import { toDirectoryEvent } from '#lib/events/view/directory/directory-event.ts';
import { postersMax } from '#lib/events/view/directory/directory-view.ts';
import { feedRows } from '#lib/events/view/representation-table.ts';
import { selectRecent } from '#lib/events/view/select-views.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { getLinkedPage } from '#lib/site/pages/page-table.ts';
import { PageFormats, toPathsByTitle } from '../_components/page-formats.tsx';
import { PosterWall } from '../_components/poster/poster-wall.tsx';
import { toPageMetadata } from '../_metadata/page-metadata.ts';

const linked = getLinkedPage('/recent');

export function generateMetadata(): Metadata {
  return toPageMetadata(linked);
}

/** What was announced in the last thirty days, for visitors who come back. */
export default async function RecentPage() {
  const snapshot = await loadPageSnapshot(getServices());
  const events = selectRecent(snapshot);
  const shown = events.slice(0, postersMax);
  return (
    <>
      <header className="page-header">
        <h1>{linked.title}</h1>
        <p className="lead">{toLead(events.length)}</p>
      </header>
      {shown.length > 0 && (
        <section className="poster-section" aria-labelledby="newest">
          <h2 id="newest">Newest first</h2>
          <PosterWall events={shown.map(toDirectoryEvent)} today={snapshot.day} firstCount={2} />
        </section>
      )}
      <p className="row more">
        {shown.length < events.length && `These are the newest ${shown.length}. `}
        <a className="button-quiet" href="/">
          See all events
        </a>
      </p>
      <PageFormats links={{ Markdown: '/recent.md', ...toPathsByTitle(feedRows) }} />
    </>
  );
}

function toLead(count: number): string {
  if (count === 0) return 'Nothing was announced in the last thirty days.';
  const events = count === 1 ? 'One event was' : `${formatCount(count)} events were`;
  return `${events} announced in the last thirty days.`;
}
