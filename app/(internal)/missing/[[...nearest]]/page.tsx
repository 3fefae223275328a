import type { Metadata } from 'next';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { FindEvents } from '../../../_components/find-events.tsx';
import { NearestEvents } from '../../../_components/nearest-events.tsx';
import { MessageHeader } from '../../../_components/notices.tsx';

export const metadata: Metadata = { title: 'No such event', robots: { index: false } };

type MissingPageProps = Readonly<{ params: Promise<{ nearest?: readonly string[] }> }>;

/** The 404 page for an unknown event, with the ids of those that may be meant. */
export default async function MissingPage({ params }: MissingPageProps) {
  const { nearest = [] } = await params;
  return (
    <>
      <MessageHeader code="404" title="Event not found" action={<FindEvents />}>
        It may have been removed a while ago. Check the URL for a typo.
      </MessageHeader>
      <NearestEvents snapshot={await loadPageSnapshot(getServices())} ids={nearest} />
    </>
  );
}
