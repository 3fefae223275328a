import type { Metadata } from 'next';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { FindEvents } from '../../../_components/find-events.tsx';
import { NearestEvents } from '../../../_components/nearest-events.tsx';
import { MessageHeader } from '../../../_components/notices.tsx';

export const metadata: Metadata = { title: 'Event removed', robots: { index: false } };

type RemovedPageProps = Readonly<{ params: Promise<{ nearest?: readonly string[] }> }>;

/** The 410 page for an event that was removed, with the ids of those that may be meant. */
export default async function RemovedPage({ params }: RemovedPageProps) {
  const { nearest = [] } = await params;
  return (
    <>
      <MessageHeader code="410" title="This event was removed" action={<FindEvents />}>
        It is no longer in the list.
      </MessageHeader>
      <NearestEvents snapshot={await loadPageSnapshot(getServices())} ids={nearest} />
    </>
  );
}
