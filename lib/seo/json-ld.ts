import type { EventFormat, MarqueeEvent } from '#lib/events/model/schema.ts';
import { toEventTitle, toFactsLine, toPlace } from '#lib/events/view/event-facts.ts';
import { eventImageUrl, eventPageUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { toPlainText } from '#lib/markdown/safe/plain-text.ts';
import { toSafeLinkUrl } from '#lib/markdown/safe/safe-link-url.ts';

/** Structured data for search engines (https://schema.org), as JSON-LD. */
export type JsonLd = Readonly<{ '@context': 'https://schema.org'; '@type': string }> &
  Readonly<Record<string, unknown>>;

const context = 'https://schema.org';
const descriptionLengthMax = 500;
/** Search engines ignore longer lists. */
const listItemsMax = 100;

const attendanceModes: Readonly<Record<EventFormat, string>> = {
  'in-person': `${context}/OfflineEventAttendanceMode`,
  online: `${context}/OnlineEventAttendanceMode`,
  both: `${context}/MixedEventAttendanceMode`,
};

/** One event. Unknown properties are omitted. */
export function toEventJsonLd(event: MarqueeEvent, { site }: Readonly<{ site: Site }>): JsonLd {
  const url = eventPageUrl(site, event.slug);
  const locations = toLocations(event, url);
  return {
    '@context': context,
    '@type': 'Event',
    '@id': url,
    url,
    name: toEventTitle(event),
    description: toPlainText(event.description ?? '', descriptionLengthMax) || toFactsLine(event),
    startDate: event.startDate,
    ...(event.endDate !== null && { endDate: event.endDate }),
    eventStatus: `${context}/EventScheduled`,
    ...(event.format !== null && { eventAttendanceMode: attendanceModes[event.format] }),
    ...(locations.length > 0 && { location: locations.length === 1 ? locations[0] : locations }),
    image: [eventImageUrl(site, event)],
    organizer: { '@type': 'Organization', name: site.name, url: pageUrl(site, 'directory') },
  };
}

/** A list of links to events, in the order of the page. */
export function toItemListJsonLd(
  events: readonly Pick<MarqueeEvent, 'slug'>[],
  { site }: Readonly<{ site: Site }>,
): JsonLd {
  return {
    '@context': context,
    '@type': 'ItemList',
    numberOfItems: events.length,
    itemListElement: events.slice(0, listItemsMax).map((event, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      url: eventPageUrl(site, event.slug),
    })),
  };
}

function toLocations(event: MarqueeEvent, eventUrl: string): object[] {
  const place = toPlace(event);
  const locations: object[] = [];
  if (place !== null && event.format !== 'online') {
    locations.push({ '@type': 'Place', name: place, address: place });
  }
  if (event.format === 'online' || event.format === 'both') {
    const url = toSafeLinkUrl(event.url ?? '') ?? eventUrl;
    locations.push({ '@type': 'VirtualLocation', url });
  }
  return locations;
}
