import type { Metadata } from 'next';
import { notFound, permanentRedirect } from 'next/navigation';
import { cache } from 'react';
import { findSimilar } from '#lib/events/query/similar-events.ts';
import { findRenamed } from '#lib/events/store/former-slugs.ts';
import { findEvent } from '#lib/events/store/snapshot.ts';
import { toDatesInWords } from '#lib/events/view/dates-in-words.ts';
import { toDirectoryEvent } from '#lib/events/view/directory-view.ts';
import { eventImageUrl, eventPageUrl } from '#lib/events/view/site-urls.ts';
import { toGoogleCalendarLinks } from '#lib/feeds/google-calendar.ts';
import { loadPageSnapshot } from '#lib/pages/load-page-snapshot.ts';
import { toEventJsonLd } from '#lib/seo/json-ld.ts';
import { getServices } from '#lib/services.ts';
import { JsonLd } from '../../_components/json-ld.tsx';
import { PosterWall } from '../../_components/poster/poster-wall.tsx';
import { RepresentationLinks } from '../../_components/representation-links.tsx';
import { toPageMetadata } from '../../_metadata/page-metadata.ts';
import { EventActions } from './event-actions.tsx';
import { EventFacts } from './event-facts.tsx';
import { EventPoster } from './event-poster.tsx';
import { EventText } from './event-text.tsx';
import '../../_styles/prose.css';
import './event.css';
import './print.css';

export const dynamic = 'force-dynamic';

type EventPageProps = Readonly<{ params: Promise<{ slug: string }> }>;

const similarMax = 4;

// Once a request: metadata and page must show the same event.
const loadEvent = cache(async (slug: string) => {
  const snapshot = await loadPageSnapshot(getServices());
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
    picture: eventImageUrl(site, event),
    calendar: `/events/${event.slug}.ics`,
    embeds: `/events/${event.slug}`,
  });
}

/** One event: poster, description, facts, and similar events. */
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
        <RepresentationLinks
          links={{
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
              <p className="lead">This event has no description yet.</p>
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
                googleCalendar={toGoogleCalendarLinks(event, {
                  pageUrl: eventPageUrl(site, event.slug),
                  today,
                })}
              />
              <EventFacts event={event} />
            </div>
          </aside>
        </div>
      </article>
      {similar.length > 0 && (
        <section className="poster-section" aria-labelledby="similar">
          <h2 id="similar">More like this</h2>
          <PosterWall
            events={similar.map(toDirectoryEvent)}
            today={today}
            firstCount={0}
            hasWide={false}
          />
        </section>
      )}
    </>
  );
}
