import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toEventTitle, toFactsLine } from '#lib/events/view/event-facts.ts';
import { eventPageUrl, pageMarkdownUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { shortenText } from '#lib/events/words/clean-text.ts';
import { toLinksLine } from '../alternate-links.ts';
import { heading, link, type Phrase, paragraph, root, table } from '../nodes.ts';
import { pageRowsMax, writeFittingMarkdown } from '../write-markdown.ts';

const textLengthMax = 160;

/** `/recent` as a Markdown page: what was announced in the last thirty days. */
export function toRecentMarkdown(
  events: readonly MarqueeEvent[],
  { site }: Readonly<{ site: Site }>,
): string {
  const toTree = (rows: number) =>
    root(
      heading(1, 'Recently announced'),
      toLinksLine(site, [
        link(pageUrl(site, 'recent'), 'Page'),
        link(pageMarkdownUrl(site, 'recent'), 'Markdown'),
        link(pageUrl(site, 'rss'), 'RSS'),
      ]),
      paragraph(
        `${events.length} announced in the last thirty days${rows < events.length ? `; the newest ${rows}` : ''}, newest first.`,
      ),
      ...(events.length === 0
        ? []
        : [table(['Announced', 'Event', 'Facts'], events.slice(0, rows).map(toRow))]),
    );
  const toRow = (event: MarqueeEvent): Phrase[] => [
    event.announcedAt.slice(0, 'YYYY-MM-DD'.length),
    link(eventPageUrl(site, event.slug), shortenText(toEventTitle(event), textLengthMax)),
    shortenText(toFactsLine(event), textLengthMax),
  ];
  return writeFittingMarkdown({ toTree, sizeMax: Math.min(events.length, pageRowsMax) });
}
