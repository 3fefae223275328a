import type { Metadata } from 'next';
import { notFound, permanentRedirect } from 'next/navigation';
import { cache } from 'react';
import { findRenamed } from '#lib/events/former-slugs.ts';
import { findSimilar } from '#lib/events/similar.ts';
import { findEvent } from '#lib/events/snapshot.ts';
import { toWallEvent } from '#lib/events/wall.ts';
import { toGoogleCalendarUrl } from '#lib/formats/calendar-links.ts';
import { toDatesInWords } from '#lib/formats/dates-in-words.ts';
import { toEventJsonLd } from '#lib/formats/json-ld.ts';
import { eventCardUrl, eventPageUrl } from '#lib/formats/site.ts';
import { getServices } from '#lib/services.ts';
import { EventActions } from '../../_components/event-actions.tsx';
import { EventFacts } from '../../_components/event-facts.tsx';
import { EventPoster } from '../../_components/event-poster.tsx';
import { EventText } from '../../_components/event-text.tsx';
import { FormLinks } from '../../_components/form-links.tsx';
import { JsonLd } from '../../_components/json-ld.tsx';
import { PosterWall } from '../../_components/poster-wall.tsx';
import { toPageMetadata } from '../../_metadata/page-metadata.ts';
import '../../_styles/prose.css';
import '../../_styles/event.css';
import '../../_styles/print.css';

export const dynamic = 'force-dynamic';

type EventPageProps = Readonly<{ params: Promise<{ slug: string }> }>;

const similarMax = 4;

// Once a request: metadata and page must show the same event.
const loadEvent = cache(async (slug: string) => {
  const snapshot = await getServices().events.current();
  const event = findEvent(snapshot, slug);
  if (event !== undefined) return { event, snapshot, today: snapshot.day };
  const renamed = findRenamed(snapshot, slug);
  return renamed === undefined ? notFound() : permanentRedirect(`/events/${renamed.slug}`);
});

export async function generateMetadata({ params }: EventPageProps): Promise<Metadata> {
  const { event, today } = await loadEvent((await params).slug);
  const { site } = getServices();
  return toPageMetadata({
    site,
    path: `/events/${event.slug}`,
    title: event.name,
    description: `${event.name}: ${toDatesInWords(event, today)}.`,
    picture: eventCardUrl(site, event),
    calendar: `/events/${event.slug}.ics`,
  });
}

/** One event: its poster, what it says of itself, its facts, and others like it. */
export default async function EventPage({ params }: EventPageProps) {
  const { event, snapshot, today } = await loadEvent((await params).slug);
  const { site } = getServices();
  const similar = findSimilar(event, snapshot.events, similarMax);
  const calendar = `/events/${event.slug}.ics`;
  return (
    <>
      <JsonLd data={toEventJsonLd(event, { site })} />
      <article className="event" data-event-id={event.id}>
        <EventPoster event={event} today={today} />
        <FormLinks
          forms={{
            Page: `/events/${event.slug}`,
            Markdown: `/events/${event.slug}.md`,
            JSON: `/api/v1/events/${event.id}`,
            RSS: '/api/v1/events/rss',
            Calendar: calendar,
          }}
        />
        <div className="with-aside">
          <div className="event-texts">
            {event.description === null ? (
              <p className="lead">Nothing more has been written about this event yet.</p>
            ) : (
              <EventText markdown={event.description} />
            )}
            {event.requirements !== null && (
              <section aria-labelledby="requirements">
                <h2 id="requirements">What you need</h2>
                <EventText markdown={event.requirements} />
              </section>
            )}
          </div>
          <aside aria-label="Facts">
            <div>
              <EventActions
                calendarFile={calendar}
                googleCalendar={toGoogleCalendarUrl(event, eventPageUrl(site, event.slug))}
              />
              <EventFacts event={event} />
            </div>
          </aside>
        </div>
      </article>
      {similar.length > 0 && (
        <section className="wall-section" aria-labelledby="similar">
          <h2 id="similar">More like this</h2>
          <PosterWall
            events={similar.map(toWallEvent)}
            today={today}
            firstCount={0}
            hasWide={false}
          />
        </section>
      )}
    </>
  );
}
