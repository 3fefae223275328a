import { listFields } from '#lib/events/model/field-lists.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toFactsLine, toPlace, toTitleWithState } from '#lib/events/view/event-facts.ts';
import { eventPageUrl, eventTagUri, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { toSafeLinkUrl } from '../markdown/safe/safe-phrases.ts';
import { type FeedOptions, feedTextLengthMax, toEventText, toFeedTitle } from './feed.ts';

/** Events as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/), in their order. */
export async function toJsonFeed(
  events: readonly MarqueeEvent[],
  { site, selfUrl, hub = null, filters = '', changedAtMs, yieldWhenDue }: FeedOptions,
): Promise<string> {
  const items: ReturnType<typeof toItem>[] = [];
  for (const event of events) {
    items.push(toItem(event, site));
    await yieldWhenDue?.();
  }
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: toFeedTitle(site, filters),
    description: 'The most recently announced events, newest first.',
    language: 'en',
    home_page_url: pageUrl(site, 'directory'),
    feed_url: selfUrl,
    ...(hub !== null && { hubs: [{ type: 'WebSub', url: hub }] }),
    _marquee: {
      about: pageUrl(site, 'apiDocs'),
      generated_at: new Date(changedAtMs).toISOString(),
    },
    items,
  };
  return `${JSON.stringify(feed)}\n`;
}

function toItem(event: MarqueeEvent, site: Site) {
  const { id, slug, status, state, startDate, endDate, format, inPerson, projectTypes } = event;
  const externalUrl = toSafeLinkUrl(event.url ?? '');
  return {
    id: eventTagUri(event),
    url: eventPageUrl(site, slug),
    ...(externalUrl !== null && { external_url: externalUrl }),
    title: toTitleWithState(event),
    summary: toFactsLine(event),
    content_text: toEventText(event, feedTextLengthMax),
    date_published: event.announcedAt,
    ...(projectTypes.length > 0 && { tags: projectTypes }),
    // An extension object for what JSON Feed has no field for, with the API's field names.
    _marquee: {
      id,
      slug,
      status,
      state,
      startDate,
      endDate,
      format,
      inPerson,
      location: toPlace(event),
      ...listKnown(event),
    },
  };
}

const knownFields = listFields('feedJson');

/** What tables may say besides, with the API's field names. */
function listKnown(event: MarqueeEvent) {
  const values = knownFields.map((field) => [field, event[field]] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}
