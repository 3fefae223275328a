import type { Paragraph } from 'mdast';
import type { MarqueeEvent } from '#lib/events/schema.ts';
import {
  eventJsonUrl,
  eventMarkdownUrl,
  eventPageUrl,
  listUrl,
  pageMarkdownUrl,
  pageUrl,
  type Site,
  toPageUrl,
} from '../site.ts';
import { joinPhrases, link, type Phrase, paragraph } from './nodes.ts';

/**
 * The line below a directory's title: its other forms, and the index of the site.
 * @param search the filters that are on, with their `?`, or empty. The feeds of announcements take none.
 */
export function directoryForms(site: Site, search: string): Paragraph {
  return formsLine(site, [
    link(pageUrl(site, 'directory', search), 'Page'),
    link(pageMarkdownUrl(site, 'directory', search), 'Markdown'),
    link(listUrl(site, search), 'JSON'),
    link(pageUrl(site, 'rss'), 'RSS'),
    link(pageUrl(site, 'calendar', search), 'Calendar'),
  ]);
}

/** The line below an event's name. RSS and the calendar are those of all events. */
export function eventForms(site: Site, event: MarqueeEvent): Paragraph {
  return formsLine(site, [
    link(eventPageUrl(site, event.slug), 'Page'),
    link(eventMarkdownUrl(site, event.slug), 'Markdown'),
    link(eventJsonUrl(site, event), 'JSON'),
    link(pageUrl(site, 'rss'), 'RSS of all events'),
    link(pageUrl(site, 'calendar'), 'Calendar of all events'),
  ]);
}

/** The line below the title of a page that has these two forms and no others. */
export function pageForms(site: Site, path: string): Paragraph {
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
