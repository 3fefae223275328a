import { toInPersonDays } from '#lib/events/model/in-person-days.ts';
import type {
  EventFormat,
  EventState,
  MarqueeEvent,
  PriceRange,
} from '#lib/events/model/schema.ts';
import type { NamedGroup } from '#lib/events/source/name-index.ts';
import { toEventTitle, toFactsLine, toPlace } from '#lib/events/view/event-facts.ts';
import { toGroupPath, toGroupTitle } from '#lib/events/view/named-groups.ts';
import { eventImageUrl, eventPageUrl, type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import { toOneLine } from '#lib/events/words/clean-text.ts';
import { toKnownFormat } from '#lib/events/words/placeless.ts';
import { toPlainText } from '../markdown/safe/plain-text.ts';
import { toSafeLinkUrl } from '../markdown/safe/safe-phrases.ts';

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

/** `previousStartDate` is omitted: the table does not say what the dates of an event were before. */
const eventStatuses: Readonly<Record<EventState, string>> = {
  scheduled: `${context}/EventScheduled`,
  cancelled: `${context}/EventCancelled`,
  postponed: `${context}/EventPostponed`,
  'moved-online': `${context}/EventMovedOnline`,
};

type EventOptions = Readonly<{
  site: Site;
  /** Its city, organizer and series, whose pages are about it, too. */
  groups?: readonly NamedGroup[];
}>;

/** One event. Unknown properties are omitted. */
export function toEventJsonLd(event: MarqueeEvent, { site, groups = [] }: EventOptions): JsonLd {
  const url = eventPageUrl(site, event.slug);
  const format = toKnownFormat(event);
  const locations = toLocations(event, format, url);
  const status = { eventStatus: eventStatuses[event.state] };
  return {
    '@context': context,
    '@type': 'Event',
    '@id': url,
    url,
    name: toEventTitle(event),
    description: toPlainText(event.description ?? '', descriptionLengthMax) || toFactsLine(event),
    startDate: event.startsAt ?? event.startDate,
    ...(event.endDate !== null && { endDate: event.endsAt ?? event.endDate }),
    ...status,
    ...(format !== null && { eventAttendanceMode: attendanceModes[format] }),
    ...(locations.length > 0 && { location: locations.length === 1 ? locations[0] : locations }),
    ...toInPersonPart(event, status),
    image: [eventImageUrl(site, event)],
    ...toOrganizer(event),
    ...toOffers(event, url),
    ...(groups.length > 0 && { subjectOf: groups.map((group) => toCollectionPage(group, site)) }),
  };
}

// A `superEvent` would need the dates and the place of a series.
function toCollectionPage(group: NamedGroup, site: Site): object {
  const url = toPageUrl(site, toGroupPath(group));
  return { '@type': 'CollectionPage', '@id': url, url, name: toGroupTitle(group) };
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

// The days at the place, if they are not all days of the event, are an event of their own.
function toInPersonPart(event: MarqueeEvent, status: object) {
  const days = toInPersonDays(event);
  const place = toPlace(event);
  if (days === null) return {};
  return {
    subEvent: {
      '@type': 'Event',
      name: `${toEventTitle(event)} (in person)`,
      startDate: days.startDate,
      ...(days.endDate !== null && { endDate: days.endDate }),
      ...status,
      eventAttendanceMode: attendanceModes['in-person'],
      ...(place !== null && { location: toSchemaPlace(place, event) }),
    },
  };
}

function toSchemaPlace(name: string, { place }: MarqueeEvent): object {
  if (place === null) return { '@type': 'Place', name, address: name };
  const { address, city, region, country, latitude, longitude } = place;
  return {
    '@type': 'Place',
    name,
    address: {
      '@type': 'PostalAddress',
      ...(address !== null && { streetAddress: toOneLine(address) }),
      ...(city !== null && { addressLocality: toOneLine(city) }),
      ...(region !== null && { addressRegion: toOneLine(region) }),
      ...(country !== null && { addressCountry: country }),
    },
    ...(latitude !== null && { geo: { '@type': 'GeoCoordinates', latitude, longitude } }),
  };
}

function toOrganizer({ organizer }: MarqueeEvent) {
  if (organizer === null) return {};
  return {
    organizer: {
      '@type': 'Organization',
      name: organizer.name,
      ...toContact(toSafeLinkUrl(organizer.url ?? '')),
    },
  };
}

function toContact(url: string | null) {
  if (url === null) return {};
  if (url.startsWith('mailto:')) return { email: url.slice('mailto:'.length) };
  return url.startsWith('tel:') ? { telephone: url.slice('tel:'.length) } : { url };
}

/** Where to sign up, and for how much, as far as that is known. */
function toOffers({ price, priceRange, placesLeft, url }: MarqueeEvent, pageUrl: string) {
  const signUpUrl = toSafeLinkUrl(url ?? '');
  if (price === null && signUpUrl === null) return {};
  const availability = placesLeft === 0 ? 'SoldOut' : 'InStock';
  return {
    ...(priceRange?.max === 0 && { isAccessibleForFree: true }),
    offers: {
      ...toPriceOffer(priceRange),
      url: signUpUrl ?? pageUrl,
      ...(placesLeft !== null && { availability: `${context}/${availability}` }),
    },
  };
}

function toPriceOffer(range: PriceRange | null) {
  if (range === null || (range.currency === null && range.max !== 0)) return { '@type': 'Offer' };
  const { min, max, currency } = range;
  const unit = currency === null ? {} : { priceCurrency: currency };
  if (min === max) return { '@type': 'Offer', price: toAmount(min), ...unit };
  const high = max === null ? {} : { highPrice: toAmount(max) };
  return { '@type': 'AggregateOffer', lowPrice: toAmount(min), ...high, ...unit };
}

function toAmount(number: number): string {
  return Number.isInteger(number) ? String(number) : number.toFixed(2);
}

function toLocations(event: MarqueeEvent, format: EventFormat | null, eventUrl: string): object[] {
  const place = toInPersonDays(event) === null ? toPlace(event) : null;
  const locations: object[] = [];
  if (place !== null && format !== 'online') locations.push(toSchemaPlace(place, event));
  if (format === 'online' || format === 'both') {
    const url = toSafeLinkUrl(event.url ?? '') ?? eventUrl;
    locations.push({ '@type': 'VirtualLocation', url });
  }
  return locations;
}
