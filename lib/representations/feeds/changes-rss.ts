import type { ShownChange } from '#lib/events/view/shown-changes.ts';
import { eventPageUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { toOneLine } from '#lib/events/words/clean-text.ts';
import { toHtmlText, toRfc822, writeRss } from './rss.ts';

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
    items: changes.map((change) => toItem(change, site)),
  });
}

function toItem({ id, title, words, timestamp, event }: ShownChange, site: Site) {
  return {
    title: `${title}: ${words}`,
    link: event === null ? pageUrl(site, 'changes') : eventPageUrl(site, event.slug),
    description: toHtmlText(words),
    guid: { '#text': `${pageUrl(site, 'changesList')}#${id}`, '@_isPermaLink': 'false' },
    pubDate: toRfc822(timestamp),
  };
}
