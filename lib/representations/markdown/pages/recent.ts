import type { Link } from 'mdast';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toEventTitle, toFactsLine } from '#lib/events/view/event-facts.ts';
import type { ShownChange } from '#lib/events/view/shown-changes.ts';
import { eventPageUrl, pageMarkdownUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { shortenText } from '#lib/events/words/clean-text.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { toLinksLine } from '../alternate-links.ts';
import { heading, link, type Phrase, paragraph, root, table } from '../nodes.ts';
import { pageRowsMax, writeFittingMarkdown } from '../write-markdown.ts';

const textLengthMax = 160;

/** `/recent` as a Markdown page: what was announced in the last thirty days. */
export function toRecentMarkdown(events: readonly MarqueeEvent[], site: Site): string {
  return writeNewest({
    site,
    page: 'recent',
    title: 'Recently announced',
    feeds: [link(pageUrl(site, 'rss'), 'RSS')],
    count: events.length,
    countWords: 'announced',
    columns: ['Announced', 'Event', 'Facts'],
    rows: events
      .slice(0, pageRowsMax)
      .map((event) => [
        event.announcedAt.slice(0, 'YYYY-MM-DD'.length),
        link(eventPageUrl(site, event.slug), shortenText(toEventTitle(event), textLengthMax)),
        shortenText(toFactsLine(event), textLengthMax),
      ]),
  });
}

/** `/changes` as a Markdown page: what has changed in the last thirty days. */
export function toChangesMarkdown(changes: readonly ShownChange[], site: Site): string {
  return writeNewest({
    site,
    page: 'changes',
    title: 'What has changed',
    feeds: [link(pageUrl(site, 'changesRss'), 'RSS'), link(pageUrl(site, 'changesList'), 'JSON')],
    count: changes.length,
    countWords: 'changes',
    columns: ['Day', 'Event', 'What has changed'],
    rows: changes.slice(0, pageRowsMax).map(({ day, title, words, event }) => {
      const name = shortenText(title, textLengthMax);
      return [
        day,
        event === null ? name : link(eventPageUrl(site, event.slug), name),
        shortenText(words, textLengthMax),
      ];
    }),
  });
}

type NewestPage = Readonly<{
  site: Site;
  page: 'recent' | 'changes';
  title: string;
  feeds: readonly Link[];
  /** How many there are; only the newest have a row. */
  count: number;
  countWords: string;
  columns: readonly string[];
  rows: readonly (readonly Phrase[])[];
}>;

function writeNewest(newest: NewestPage): string {
  const { site, page, title, feeds, count, countWords, columns, rows } = newest;
  const toTree = (shown: number) =>
    root(
      heading(1, title),
      toLinksLine(site, [
        link(pageUrl(site, page), 'Page'),
        link(pageMarkdownUrl(site, page), 'Markdown'),
        ...feeds,
      ]),
      paragraph(
        `${formatCount(count)} ${countWords} in the last thirty days${shown < count ? `; the newest ${shown}` : ''}, newest first.`,
      ),
      ...(rows.length === 0 ? [] : [table(columns, rows.slice(0, shown))]),
    );
  return writeFittingMarkdown({ toTree, sizeMax: rows.length });
}
