import type { Paragraph } from 'mdast';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { readFilterTexts, toSearch } from '#lib/events/query/filters.ts';
import {
  eventCalendarUrl,
  eventJsonUrl,
  eventMarkdownUrl,
  eventPageUrl,
  listUrl,
  pageMarkdownUrl,
  pageUrl,
  type Site,
  toPageUrl,
} from '#lib/events/view/site-urls.ts';
import { joinPhrases, link, type Phrase, paragraph } from './nodes.ts';

type DirectoryQuery = Readonly<{
  /** The filters that are on, with their `?`, or empty. */
  search: string;
  /** From 1. */
  page: number;
}>;

/**
 * The line below a directory's title: its other forms, and the index of the site. The feeds of
 * announcements take no filters, and what programs read has no pages.
 */
export function directoryRepresentations(site: Site, { search, page }: DirectoryQuery): Paragraph {
  const paged = page === 1 ? search : toSearch(readFilterTexts(search), page);
  return formsLine(site, [
    link(pageUrl(site, 'directory', paged), 'Page'),
    link(pageMarkdownUrl(site, 'directory', paged), 'Markdown'),
    link(listUrl(site, search), 'JSON'),
    link(pageUrl(site, 'rss'), 'RSS'),
    link(pageUrl(site, 'calendar', search), 'Calendar'),
  ]);
}

/** The line below an event's name. RSS is that of all events. */
export function eventRepresentations(site: Site, event: MarqueeEvent): Paragraph {
  return formsLine(site, [
    link(eventPageUrl(site, event.slug), 'Page'),
    link(eventMarkdownUrl(site, event.slug), 'Markdown'),
    link(eventJsonUrl(site, event), 'JSON'),
    link(pageUrl(site, 'rss'), 'RSS of all events'),
    link(eventCalendarUrl(site, event.slug), 'Calendar'),
  ]);
}

/** The line below the title of a page that has these two forms and no others. */
export function pageRepresentations(site: Site, path: string): Paragraph {
  return formsLine(site, [
    link(toPageUrl(site, path), 'Page'),
    link(`${toPageUrl(site, path)}.md`, 'Markdown'),
  ]);
}

/** The line for pages that have no other forms. */
export function indexLine(site: Site): Paragraph {
  return paragraph('Everything here, in one list: ', link(pageUrl(site, 'llmsTxt'), '/llms.txt'));
}

function formsLine(site: Site, forms: readonly Phrase[]): Paragraph {
  const index = link(pageUrl(site, 'llmsTxt'), '/llms.txt');
  return paragraph(...joinPhrases(forms, ' · '), ' · All pages: ', index);
}
