import type { BlockContent, Link, Paragraph } from 'mdast';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsQuery, formatListQuery, formatQuery } from '#lib/events/query/events-query.ts';
import type { QueryProblem } from '#lib/events/query/parse-query.ts';
import type { NameSuggestion } from '#lib/events/search/nearest-names.ts';
import type { SearchChip } from '#lib/events/search/parse-search.ts';
import type { NamedGroup } from '#lib/events/source/name-index.ts';
import { toGroupFilters, toGroupPath, toGroupTitle } from '#lib/events/view/named-groups.ts';
import {
  eventCalendarUrl,
  eventJsonUrl,
  eventMarkdownUrl,
  eventPageUrl,
  pageMarkdownUrl,
  pageUrl,
  type Site,
  toPageUrl,
} from '#lib/events/view/site-urls.ts';
import { shortenText, toOneLine } from '#lib/events/words/clean-text.ts';
import { joinPhrases, link, messagePhrases, type Phrase, paragraph, quote } from './nodes.ts';

/**
 * The line below the directory's title: its representations, with its filters, and the index of the site. Only
 * Markdown and HTML are paginated.
 */
export function toDirectoryLinks(site: Site, query: EventsQuery): Paragraph {
  const { page: _, ...filters } = query;
  const paged = formatQuery(query);
  const listSearch = formatListQuery(filters);
  return toLinksLine(site, [
    link(pageUrl(site, 'directory', paged), 'Page'),
    link(pageMarkdownUrl(site, 'directory', paged), 'Markdown'),
    link(pageUrl(site, 'list', listSearch), 'JSON'),
    link(pageUrl(site, 'rss', listSearch), 'RSS'),
    link(pageUrl(site, 'calendar', listSearch), 'Calendar'),
  ]);
}

/** The line below the title of a city, an organizer or a series. */
export function toGroupLinks(site: Site, group: NamedGroup): Paragraph {
  const page = toPageUrl(site, toGroupPath(group));
  const search = formatListQuery(toGroupFilters(group));
  return toLinksLine(site, [
    link(page, 'Page'),
    link(`${page}.md`, 'Markdown'),
    link(pageUrl(site, 'list', search), 'JSON'),
    link(pageUrl(site, 'rss', search), 'RSS'),
    link(pageUrl(site, 'calendar', search), 'Calendar'),
    link(pageUrl(site, 'subscribe', search), 'Subscribe'),
  ]);
}

const groupTitleLengthMax = 200;

/** A link to the Markdown of a city's, an organizer's or a series' page. */
export function toGroupLink(site: Site, group: NamedGroup): Link {
  const title = shortenText(toGroupTitle(group), groupTitleLengthMax);
  return link(`${toPageUrl(site, toGroupPath(group))}.md`, title);
}

/** The line below an event's name. The RSS feed is the one of all events; nobody needs a calendar of the past. */
export function toEventLinks(site: Site, event: MarqueeEvent): Paragraph {
  return toLinksLine(site, [
    link(eventPageUrl(site, event.slug), 'Page'),
    link(eventMarkdownUrl(site, event.slug), 'Markdown'),
    link(eventJsonUrl(site, event), 'JSON'),
    link(pageUrl(site, 'rss'), 'RSS of all events'),
    ...(event.status === 'ended' ? [] : [link(eventCalendarUrl(site, event.slug), 'Calendar')]),
  ]);
}

/** The line below the title of a page that exists as HTML and Markdown only. */
export function toPageLinks(site: Site, path: string): Paragraph {
  return toLinksLine(site, [
    link(toPageUrl(site, path), 'Page'),
    link(`${toPageUrl(site, path)}.md`, 'Markdown'),
  ]);
}

/** The line for pages without other representations. */
export function toIndexLink(site: Site): Paragraph {
  const index = link(pageUrl(site, 'llmsTxt'), '/llms.txt');
  return paragraph('Index of this site: ', index, ...toNoticePhrases(site));
}

/** What a page says about its query. */
export type QueryNotes = Readonly<{
  /** Invalid parameters, which were ignored. */
  problems: readonly QueryProblem[];
  suggestions: readonly NameSuggestion[];
  searchChips: readonly SearchChip[];
}>;

/** What was ignored, and the nearest to names that no event has. */
export function toQueryQuotes(
  { problems, suggestions }: QueryNotes,
  toUrl: (search: string) => string,
): BlockContent[] {
  return [
    ...problems.map(({ message, hint }) =>
      quote(...messagePhrases(`${message} ${hint} It was ignored.`)),
    ),
    ...suggestions.map(({ unknown, nearest, filters }) =>
      quote(
        `No event has “${toOneLine(unknown)}”. Did you mean `,
        link(toUrl(formatQuery(filters)), toOneLine(nearest)),
        '?',
      ),
    ),
  ];
}

/** Says what was understood of a search; nothing if all of it is text. */
export function toUnderstoodLine({ searchChips }: QueryNotes): BlockContent[] {
  if (searchChips.length === 0) return [];
  const labels = searchChips.map(({ label }) => label).join(' · ');
  return [paragraph(`The search was understood as: ${toOneLine(labels)}.`)];
}

/** Links, and the index of the site. */
export function toLinksLine(site: Site, links: readonly Phrase[]): Paragraph {
  const index = link(pageUrl(site, 'llmsTxt'), '/llms.txt');
  return paragraph(...joinPhrases(links, ' · '), ' · Index: ', index, ...toNoticePhrases(site));
}

/** The notice of the site, in a line of its own. */
function toNoticePhrases({ notice = null }: Site): Phrase[] {
  if (notice === null) return [];
  const { text, url, until } = notice;
  return [
    { type: 'break' },
    until === null ? 'Notice: ' : `Notice until ${until}: `,
    text,
    ...(url === null ? [] : [' ', link(url, 'More')]),
  ];
}
