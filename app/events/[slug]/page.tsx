import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache, type ReactNode } from 'react';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { findEvent } from '#lib/events/source/snapshot.ts';
import { toMapLinks } from '#lib/events/view/city-marks.ts';
import { toDirectoryEvent } from '#lib/events/view/directory/directory-event.ts';
import { toFactsLine, toTitleWithState } from '#lib/events/view/event-facts.ts';
import {
  findGroupsOfEvent,
  type GroupsOfEvent,
  listGroups,
  toGroupPath,
} from '#lib/events/view/named-groups.ts';
import { findInGroup, findSimilar } from '#lib/events/view/select-views.ts';
import { describeLastChange } from '#lib/events/view/shown-changes.ts';
import { eventImageUrl, eventPageUrl } from '#lib/events/view/site-urls.ts';
import { toHours, toZoneSuffix } from '#lib/events/words/clock-words.ts';
import { toDatesInWords, toFullDay } from '#lib/events/words/dates-in-words.ts';
import { toEventJsonLd } from '#lib/representations/seo/json-ld.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { PageFormats } from '../../_components/page-formats.tsx';
import { PosterWall } from '../../_components/poster/poster-wall.tsx';
import { JsonLd } from '../../_metadata/json-ld.tsx';
import { toPageMetadata } from '../../_metadata/page-metadata.ts';
import { EventBody } from './_body/event-body.tsx';
import type { TicketLinks } from './_ticket/event-ticket.tsx';
import { EventStage } from './event-stage.tsx';
import { toStageEvent } from './stage-event.ts';
import '../../_styles/prose.css';
import './event.css';
import './print.css';

type EventPageProps = Readonly<{ params: Promise<{ slug: string }> }>;

const similarMax = 4;

// Once a request: metadata and page must show the same event.
const loadEvent = cache(async (slug: string) => {
  const snapshot = await loadPageSnapshot(getServices());
  const event = findEvent(snapshot, slug);
  return event === undefined ? notFound() : { event, snapshot, today: snapshot.day };
});

export async function generateMetadata({ params }: EventPageProps): Promise<Metadata> {
  const { event } = await loadEvent((await params).slug);
  const { site } = getServices();
  const calendar = { path: `/events/${event.slug}.ics`, title: event.name };
  return toPageMetadata({
    path: `/events/${event.slug}`,
    title: toTitleWithState(event),
    description: `${event.name}: ${toFactsLine(event)}.`,
    picture: eventImageUrl(site, event),
    ...(event.status !== 'ended' && { calendar }),
    embeds: `/events/${event.slug}`,
  });
}

/** One event: poster and ticket, its texts, and similar events. */
export default async function EventPage({ params }: EventPageProps) {
  const { event, snapshot, today } = await loadEvent((await params).slug);
  const { site, config } = getServices();
  const lastChange = describeLastChange(snapshot, event);
  const groups = findGroupsOfEvent(snapshot, event.id);
  const byOrganizer = findInGroup(event, groups.organizer, snapshot, similarMax);
  const others = snapshot.events.filter((other) => !byOrganizer.includes(other));
  const similar = findSimilar(event, others, similarMax);
  return (
    <>
      <JsonLd data={toEventJsonLd(event, { site, groups: listGroups(groups) })} />
      <article className="event" data-event-id={event.id}>
        <p className="printed-date">{toExactDates(event)}</p>
        <EventStage
          event={toStageEvent(event)}
          today={today}
          links={toTicketLinks(event, groups)}
          timeZone={config.events.timeZone}
          pageUrl={eventPageUrl(site, event.slug)}
          slackWorkspaceUrl={config.events.slackWorkspaceUrl}
        />
        {lastChange !== null && <p className="notice">{lastChange}</p>}
        <EventBody
          event={event}
          groups={groups}
          slackWorkspaceUrl={config.events.slackWorkspaceUrl}
        />
      </article>
      <MoreEvents id="organizer" events={byOrganizer} today={today}>
        More by <bdi>{event.organizer?.name}</bdi>
      </MoreEvents>
      <MoreEvents id="similar" events={similar} today={today}>
        More like this
      </MoreEvents>
      <PageFormats links={toFormatLinks(event)} />
    </>
  );
}

type MoreEventsProps = Readonly<{
  id: string;
  events: readonly MarqueeEvent[];
  today: string;
  /** Its heading. */
  children: ReactNode;
}>;

function MoreEvents({ id, events, today, children }: MoreEventsProps) {
  if (events.length === 0) return null;
  return (
    <section className="poster-section" aria-labelledby={id}>
      <h2 id={id}>{children}</h2>
      <PosterWall events={events.map(toDirectoryEvent)} today={today} firstCount={0} />
    </section>
  );
}

/** For paper, where “tomorrow” is soon wrong: `12–14 Dec 2026`, `Sat 12 Dec 2026, 18:30–21:00`. */
function toExactDates(event: MarqueeEvent): string {
  const { startDate, endDate } = event;
  if (endDate !== startDate) return toDatesInWords(event);
  const hours = toHours(event);
  const day = toFullDay(startDate);
  return hours === null ? day : `${day}, ${hours}${toZoneSuffix(event)}`;
}

/** The place leads to the map below, or to its city. */
function toTicketLinks(event: MarqueeEvent, { city, organizer }: GroupsOfEvent): TicketLinks {
  const cityPath = city && toGroupPath(city);
  return {
    place: toMapLinks(event).length > 0 ? '#map' : cityPath,
    organizer: organizer && toGroupPath(organizer),
  };
}

// A past event needs no calendar file.
function toFormatLinks({ id, slug, status }: MarqueeEvent) {
  return {
    Markdown: `/events/${slug}.md`,
    JSON: `/api/v1/events/${id}`,
    ...(status !== 'ended' && { iCalendar: `/events/${slug}.ics` }),
  };
}
