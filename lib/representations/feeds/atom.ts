import type { EventsHistory } from '#lib/events/changes/history.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toFactsLine, toTitleWithState } from '#lib/events/view/event-facts.ts';
import { feedTable } from '#lib/events/view/representation-table.ts';
import { eventPageUrl, eventTagUri, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { toOneLine } from '#lib/events/words/clean-text.ts';
import { markdownLengthMax } from '../markdown/safe/bound-markdown.ts';
import { toSafeLinkUrl } from '../markdown/safe/safe-phrases.ts';
import { toEventHtml } from './event-html.ts';
import { type FeedOptions, toFeedTitle } from './feed.ts';
import { feedXml } from './feed-xml.ts';

/** Events as Atom 1.0 (RFC 4287), in their order. */
export async function toAtom(
  events: readonly MarqueeEvent[],
  options: FeedOptions,
): Promise<string> {
  const { site, selfUrl, hub = null, filters = '', changedAtMs, yieldWhenDue } = options;
  const entries: ReturnType<typeof toEntry>[] = [];
  for (const event of events) {
    entries.push(toEntry(event, options));
    await yieldWhenDue?.();
  }
  return feedXml.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    feed: {
      '@_xmlns': 'http://www.w3.org/2005/Atom',
      '@_xml:lang': 'en',
      id: selfUrl,
      title: toFeedTitle(site, filters),
      subtitle: 'The most recently announced events, newest first.',
      updated: toTimestamp(changedAtMs),
      author: { name: toOneLine(site.name) },
      link: [
        { '@_rel': 'self', '@_type': feedTable.atom.mediaType, '@_href': selfUrl },
        { '@_rel': 'alternate', '@_type': 'text/html', '@_href': pageUrl(site, 'directory') },
        ...(hub === null ? [] : [{ '@_rel': 'hub', '@_href': hub }]),
      ],
      entry: entries,
    },
  });
}

type EntryOptions = Readonly<{ site: Site; lastChanges?: EventsHistory['lastChanges'] }>;

function toEntry(event: MarqueeEvent, { site, lastChanges }: EntryOptions) {
  const externalUrl = toSafeLinkUrl(event.url ?? '');
  const changedAt = lastChanges?.get(event.id)?.change.timestamp ?? event.announcedAt;
  return {
    id: eventTagUri(event),
    title: toTitleWithState(event),
    published: toTimestamp(event.announcedAt),
    updated: toTimestamp(Math.max(Date.parse(event.announcedAt), Date.parse(changedAt))),
    link: [
      { '@_rel': 'alternate', '@_type': 'text/html', '@_href': eventPageUrl(site, event.slug) },
      ...(externalUrl === null ? [] : [{ '@_rel': 'related', '@_href': externalUrl }]),
    ],
    category: event.projectTypes.map((type) => ({ '@_term': type })),
    summary: toFactsLine(event),
    content: { '@_type': 'html', '#text': toEventHtml(event, markdownLengthMax) },
  };
}

// RFC 3339, as RFC 4287 §3.3 demands.
function toTimestamp(time: string | number): string {
  return new Date(time).toISOString();
}
