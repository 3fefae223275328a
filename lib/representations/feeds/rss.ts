import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toTitleWithState } from '#lib/events/view/event-facts.ts';
import type { ShownChange } from '#lib/events/view/shown-changes.ts';
import { eventPageUrl, eventTagUri, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { toOneLine } from '#lib/events/words/clean-text.ts';
import { markdownLengthMax } from '../markdown/safe/bound-markdown.ts';
import { toEventHtml } from './event-html.ts';
import { type FeedOptions, feedTextLengthMax, toFeedTitle } from './feed.ts';
import { feedXml } from './feed-xml.ts';

/** How long readers may cache the feed, in minutes. */
const ttlMinutes = 5;

/**
 * Events as RSS 2.0, in their order, following the RSS Advisory Board's best practices profile
 * (https://www.rssboard.org/rss-profile).
 */
export async function toRss(
  events: readonly MarqueeEvent[],
  { site, selfUrl, hub = null, filters = '', changedAtMs, yieldWhenDue }: FeedOptions,
): Promise<string> {
  const items: ReturnType<typeof toEventItem>[] = [];
  for (const event of events) {
    items.push(toEventItem(event, site));
    await yieldWhenDue?.();
  }
  const name = toOneLine(site.name);
  return writeRss({
    title: toFeedTitle(site, filters),
    link: pageUrl(site, 'directory'),
    description: `The most recently announced events of ${toHtmlText(name)}, newest first.`,
    selfUrl,
    hub,
    publishedAt: events.map((event) => event.announcedAt).reduce(later, ''),
    changedAtMs,
    items,
  });
}

type Channel = Readonly<{
  title: string;
  link: string;
  description: string;
  selfUrl: string;
  /** Of WebSub; null without one. */
  hub: string | null;
  /** Of the newest item; empty without any. */
  publishedAt: string;
  changedAtMs: number;
  items: readonly object[];
}>;

/** A channel and its items as RSS 2.0. */
function writeRss(channel: Channel): string {
  const { publishedAt, changedAtMs, selfUrl, hub } = channel;
  return feedXml.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    rss: {
      '@_version': '2.0',
      '@_xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
      '@_xmlns:atom': 'http://www.w3.org/2005/Atom',
      channel: {
        title: channel.title,
        link: channel.link,
        description: channel.description,
        language: 'en',
        ...(publishedAt !== '' && { pubDate: toRfc822(publishedAt) }),
        lastBuildDate: toRfc822(changedAtMs),
        docs: 'http://www.rssboard.org/rss-specification',
        ttl: ttlMinutes,
        'atom:link': [
          { '@_href': selfUrl, '@_rel': 'self', '@_type': 'application/rss+xml' },
          ...(hub === null ? [] : [{ '@_href': hub, '@_rel': 'hub' }]),
        ],
        item: channel.items,
      },
    },
  });
}

function toEventItem(event: MarqueeEvent, site: Site) {
  return {
    title: toTitleWithState(event),
    link: eventPageUrl(site, event.slug),
    description: toEventHtml(event, feedTextLengthMax),
    ...(isLong(event) && { 'content:encoded': toEventHtml(event, markdownLengthMax) }),
    category: event.projectTypes,
    guid: { '#text': eventTagUri(event), '@_isPermaLink': 'false' },
    pubDate: toRfc822(event.announcedAt),
  };
}

function isLong({ description, requirements }: MarqueeEvent): boolean {
  return [description, requirements].some((text) => (text?.length ?? 0) > feedTextLengthMax);
}

// Readers show descriptions as HTML, so plain text is escaped as HTML before it is escaped as XML. Titles are plain text.
function toHtmlText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

// RFC 822 §5 with a four-digit year (RFC 1123 §5.2.14), in GMT with the weekday.
function toRfc822(dateTime: string | number): string {
  return new Date(dateTime).toUTCString();
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

/** What has changed as RSS 2.0, the newest first. */
export function toChangesRss(
  changes: readonly ShownChange[],
  { site, hub, changedAtMs }: Readonly<{ site: Site; hub: string | null; changedAtMs: number }>,
): string {
  return writeRss({
    title: `${toOneLine(site.name)}: what has changed`,
    link: pageUrl(site, 'changes'),
    description: 'Events that were announced, moved, cancelled or removed, newest first.',
    selfUrl: pageUrl(site, 'changesRss'),
    hub,
    publishedAt: changes[0]?.timestamp ?? '',
    changedAtMs,
    items: changes.map((change) => toChangeItem(change, site)),
  });
}

function toChangeItem({ id, title, words, timestamp, event }: ShownChange, site: Site) {
  return {
    title: `${title}: ${words}`,
    link: event === null ? pageUrl(site, 'changes') : eventPageUrl(site, event.slug),
    description: toHtmlText(words),
    guid: { '#text': `${pageUrl(site, 'changesList')}#${id}`, '@_isPermaLink': 'false' },
    pubDate: toRfc822(timestamp),
  };
}
