import type { BlockContent, Root } from 'mdast';
import {
  addMonths,
  firstDayOf,
  isMonthInReach,
  isOn,
  lastDayOf,
  toMonth,
  toMonthInWords,
} from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsQuery, formatListQuery, formatQuery } from '#lib/events/query/events-query.ts';
import { toFormatInWords, toPlace, toTitleWithState } from '#lib/events/view/event-facts.ts';
import { eventPageUrl, pageMarkdownUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { shortenText, toOneLine } from '#lib/events/words/clean-text.ts';
import { toDatesInWords, toStartAndEnd } from '#lib/events/words/dates-in-words.ts';
import { formatCount, formatCountOf } from '#lib/events/words/format-count.ts';
import { listTerms } from '#lib/events/words/terms.ts';
import {
  type QueryNotes,
  toLinksLine,
  toQueryQuotes,
  toUnderstoodLine,
} from '../alternate-links.ts';
import { heading, joinPhrases, link, type Phrase, paragraph, root, table } from '../nodes.ts';
import { pageRowsMax, writeFittingMarkdown } from '../write-markdown.ts';

type MonthMarkdownOptions = Readonly<{
  site: Site;
  month: string;
  /** The month in the URL; undefined for the current one. */
  urlMonth: string | undefined;
  today: string;
  filters: EventsQuery;
}> &
  QueryNotes;

type Page = MonthMarkdownOptions & Readonly<{ events: readonly MarqueeEvent[] }>;

const textLengthMax = 120;

/**
 * The month view as a Markdown page: a table of the events that are on in the month.
 * @param events by their first day.
 */
export function toMonthMarkdown(
  events: readonly MarqueeEvent[],
  options: MonthMarkdownOptions,
): string {
  const range = { from: firstDayOf(options.month), to: lastDayOf(options.month) };
  const shown = events.filter((event) => isOn(event, range));
  const page = { ...options, events: shown };
  const sizeMax = Math.min(shown.length, pageRowsMax);
  return writeFittingMarkdown({ toTree: (rows) => toTree(page, rows), sizeMax });
}

function toTree(page: Page, rows: number): Root {
  const { site, month, filters, events } = page;
  const isFiltered = formatQuery(filters) !== '';
  const count = formatCountOf(events.length, 'event is', 'events are');
  return root(
    heading(1, `${toOneLine(site.name)}: ${toMonthInWords(month)}`),
    toLinks(page),
    ...toQueryQuotes(page, (search) => pageMarkdownUrl(site, 'month', search)),
    paragraph(`${count} on in this month${isFiltered ? ' and match the filters in the URL' : ''}.`),
    ...toUnderstoodLine(page),
    ...toTable(page, rows),
    toMonthLinks(page),
  );
}

function toLinks({ site, month, urlMonth, filters }: Page) {
  const search = formatQuery({ ...filters, month: urlMonth });
  const range = formatListQuery({ ...filters, from: firstDayOf(month), to: lastDayOf(month) });
  return toLinksLine(site, [
    link(pageUrl(site, 'month', search), 'Page'),
    link(pageMarkdownUrl(site, 'month', search), 'Markdown'),
    link(pageUrl(site, 'list', range), 'JSON'),
    link(pageUrl(site, 'calendar', range), 'Calendar'),
  ]);
}

function toTable({ site, month, filters, events }: Page, rows: number): BlockContent[] {
  if (events.length === 0) return [];
  const columns = [
    'Event',
    'Dates',
    'Starts',
    'Ends',
    'Format',
    'Place',
    'Price, ages, places',
    'Id',
  ];
  const blocks: BlockContent[] = [];
  const shown = events.slice(0, rows).map((event) => toRow(event, site));
  if (shown.length > 0) blocks.push(table(columns, shown));
  const hidden = events.length - shown.length;
  if (hidden === 0) return blocks;
  const range = formatListQuery({ ...filters, from: firstDayOf(month), to: lastDayOf(month) });
  const list = link(pageUrl(site, 'list', range), 'as JSON');
  return [
    ...blocks,
    paragraph(`${formatCount(hidden)} more are not in this table. Read them `, list, '.'),
  ];
}

function toRow(event: MarqueeEvent, site: Site): Phrase[] {
  return [
    link(eventPageUrl(site, event.slug), shortenText(toTitleWithState(event), textLengthMax)),
    toDatesInWords(event),
    ...toStartAndEnd(event),
    toFormatInWords(event.format) ?? 'unknown',
    shortenText(toPlace(event) ?? '', textLengthMax),
    listTerms(event).join(', '),
    toOneLine(event.id),
  ];
}

function toMonthLinks({ site, month, today, filters }: Page) {
  const near = [addMonths(month, -1), toMonth(today), addMonths(month, 1)];
  const links = [...new Set(near)]
    .filter((other) => other !== month && isMonthInReach(other, today))
    .map((other) =>
      link(
        pageMarkdownUrl(site, 'month', formatQuery({ ...filters, month: other })),
        toMonthInWords(other),
      ),
    );
  return paragraph('Other months: ', ...joinPhrases(links, ' · '));
}
