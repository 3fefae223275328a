import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { findEvent } from '#lib/events/snapshot.ts';
import { toDatesInWords } from '#lib/formats/dates-in-words.ts';
import { getServices } from '#lib/services.ts';
import { EventFacts } from '../../_components/event-facts.tsx';
import { EventText } from '../../_components/event-text.tsx';
import { FormLinks } from '../../_components/form-links.tsx';
import { toAlternates } from '../../_metadata/alternates.ts';

export const dynamic = 'force-dynamic';

type EventPageProps = Readonly<{ params: Promise<{ slug: string }> }>;

// Once a request: metadata and page must show the same event.
const loadEvent = cache(async (slug: string) => {
  const snapshot = await getServices().events.current();
  const event = findEvent(snapshot, slug);
  return event === undefined ? notFound() : { event, day: snapshot.day };
});

export async function generateMetadata({ params }: EventPageProps): Promise<Metadata> {
  const { event, day } = await loadEvent((await params).slug);
  return {
    title: event.name,
    description: `${event.name}: ${toDatesInWords(event, day)}.`,
    alternates: toAlternates(`/events/${event.slug}`),
  };
}

/** One event: its facts first, then what it says of itself. */
export default async function EventPage({ params }: EventPageProps) {
  const { event, day } = await loadEvent((await params).slug);
  return (
    <article data-event-id={event.id}>
      <header className="page-header">
        <h1>{event.name}</h1>
        <p className="lead">{toDatesInWords(event, day)}</p>
        <FormLinks
          forms={{
            Page: `/events/${event.slug}`,
            Markdown: `/events/${event.slug}.md`,
            JSON: `/api/v1/events/${event.id}`,
          }}
        />
      </header>
      <EventFacts event={event} />
      {event.description !== null && <EventText markdown={event.description} />}
      {event.requirements !== null && (
        <section aria-labelledby="requirements">
          <h2 id="requirements">What you need</h2>
          <EventText markdown={event.requirements} />
        </section>
      )}
    </article>
  );
}
