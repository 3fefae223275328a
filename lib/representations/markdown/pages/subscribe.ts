import type { BlockContent } from 'mdast';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsQuery, formatQuery } from '#lib/events/query/events-query.ts';
import { toEventTitle, toFactsLine } from '#lib/events/view/event-facts.ts';
import { eventPageUrl, pageMarkdownUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { calendarPrograms, toFeedLinks, toSubscription } from '#lib/events/view/subscription.ts';
import { shortenText, toOneLine } from '#lib/events/words/clean-text.ts';
import { toFiltersInWords } from '#lib/events/words/filter-words.ts';
import {
  type QueryNotes,
  toLinksLine,
  toQueryQuotes,
  toUnderstoodLine,
} from '../alternate-links.ts';
import { heading, link, list, type Phrase, paragraph, root } from '../nodes.ts';
import { writeMarkdown } from '../write-markdown.ts';

type SubscribeOptions = Readonly<{
  site: Site;
  filters: EventsQuery;
  /** Whether the site has a mail server. */
  sendsMails: boolean;
}> &
  QueryNotes;

/** Events shown as a preview. */
export const previewCount = 3;

const textLengthMax = 160;

/** `/subscribe` as a Markdown page: the URLs of calendar and feeds, and the next events in them. */
export function toSubscribeMarkdown(
  next: readonly MarqueeEvent[],
  options: SubscribeOptions,
): string {
  const { site, filters, sendsMails } = options;
  const search = formatQuery(filters);
  const { calendar, google, outlook, changesRss } = toSubscription(filters, site);
  const words = toFiltersInWords(filters);
  const programs = calendarPrograms.map(({ name, steps, delay }): Phrase[] => [
    `${name}: ${steps.join(' ')} ${delay}`,
  ]);
  return writeMarkdown(
    root(
      heading(1, `Subscribe to ${toOneLine(site.name)}`),
      toLinksLine(site, [
        link(pageUrl(site, 'subscribe', search), 'Page'),
        link(pageMarkdownUrl(site, 'subscribe', search), 'Markdown'),
      ]),
      ...toQueryQuotes(options, (search) => pageMarkdownUrl(site, 'subscribe', search)),
      paragraph(`Events: ${words === '' ? 'all' : toOneLine(words)}.`),
      ...toUnderstoodLine(options),
      heading(2, 'Calendar'),
      paragraph('A subscription updates by itself. A downloaded file does not.'),
      list([
        ['iCalendar: ', link(calendar, calendar)],
        [link(google, 'Add to Google Calendar')],
        [link(outlook, 'Add to Outlook.com')],
      ]),
      paragraph('Three steps for each program:'),
      list(programs),
      ...(sendsMails ? toMailBlocks(pageUrl(site, 'subscribe', search)) : []),
      heading(2, 'Feeds'),
      list([
        ...toFeedLinks(filters, site).map(({ title, url }) => [`${title}: `, link(url, url)]),
        ['RSS of changes, for all events: ', link(changesRss, changesRss)],
      ]),
      heading(2, 'Next events'),
      next.length === 0
        ? paragraph('None at the moment.')
        : list(next.slice(0, previewCount).map((event) => toItem(event, site))),
    ),
  );
}

function toMailBlocks(url: string): BlockContent[] {
  return [
    heading(2, 'Mail'),
    paragraph(
      'One email a week with new events, and none if there are none. If an event from an email is cancelled or moved, another email says so at once. One click stops them.',
    ),
    paragraph(link(`${url}#mail`, 'Subscribe on the page')),
  ];
}

function toItem(event: MarqueeEvent, site: Site): Phrase[] {
  const name = shortenText(toEventTitle(event), textLengthMax);
  return [
    link(eventPageUrl(site, event.slug), name),
    `: ${shortenText(toFactsLine(event), textLengthMax)}`,
  ];
}
