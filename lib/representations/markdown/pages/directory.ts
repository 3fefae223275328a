import type { BlockContent, Root } from 'mdast';
import { toInPersonDays } from '#lib/events/model/in-person-days.ts';
import { type EventsQuery, formatListQuery, formatQuery } from '#lib/events/query/events-query.ts';
import type { NamedGroup } from '#lib/events/source/name-index.ts';
import type { DirectoryEvent } from '#lib/events/view/directory/directory-event.ts';
import {
  type DirectorySection,
  type DirectoryView,
  sectionStatuses,
  toCountInWords,
} from '#lib/events/view/directory/directory-view.ts';
import { sectionTitles } from '#lib/events/view/directory/sections.ts';
import {
  toEventTitle,
  toFactsLine,
  toFormatInWords,
  toPlace,
  toStateInWords,
} from '#lib/events/view/event-facts.ts';
import { toGroupTitle } from '#lib/events/view/named-groups.ts';
import type { NearEvents } from '#lib/events/view/search-notes.ts';
import { eventPageUrl, pageMarkdownUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { shortenText, toOneLine } from '#lib/events/words/clean-text.ts';
import { toDatesInWords, toStartAndEnd } from '#lib/events/words/dates-in-words.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { listTerms } from '#lib/events/words/terms.ts';
import {
  type QueryNotes,
  toDirectoryLinks,
  toGroupLinks,
  toQueryQuotes,
  toUnderstoodLine,
} from '../alternate-links.ts';
import { heading, link, list, type Phrase, paragraph, root, table } from '../nodes.ts';
import { pageRowsMax, writeFittingMarkdown } from '../write-markdown.ts';

type DirectoryOptions = Readonly<{
  site: Site;
  /** When the events last changed, Unix time in ms. */
  changedAtMs: number;
  filters?: EventsQuery;
  /** The city, organizer or series whose page it is. */
  group?: NamedGroup | null;
  /** What comes closest to filters that no event meets. */
  near?: NearEvents | null;
}> &
  Partial<QueryNotes>;

type Page = Required<DirectoryOptions> & Readonly<{ view: DirectoryView }>;

/** Each section shows at least this many rows, however long the sections before it are. */
const sectionRowsMin = 8;

const nameLengthMax = 120;

const columns = [
  'Event',
  'Dates',
  'Starts',
  'Ends',
  'Status',
  'Format',
  'Place',
  'Price, ages, places',
  'Id',
];

/** The directory as a Markdown page, with a table for each section. */
export function toDirectoryMarkdown(view: DirectoryView, options: DirectoryOptions): string {
  const page = {
    filters: {},
    problems: [],
    suggestions: [],
    searchChips: [],
    group: null,
    near: null,
    ...options,
    view,
  };
  const rows = view.sections.reduce((sum, { events }) => sum + events.length, 0);
  const sizeMax = Math.min(rows, pageRowsMax);
  return writeFittingMarkdown({ toTree: (size) => toTree(page, size), sizeMax });
}

function toTree(page: Page, rows: number): Root {
  const { site, view, changedAtMs, filters, group } = page;
  const isFiltered = formatQuery(filters) !== '';
  const rowCounts = allotRows(view.sections, rows);
  const words = view.sections.map(
    ({ kind, total }) => `${formatCount(total)} ${sectionTitles[kind].toLowerCase()}`,
  );
  const counts = words.length === 0 ? 'No events' : words.join(', ');
  return root(
    heading(1, group === null ? toOneLine(site.name) : toGroupTitle(group)),
    group === null
      ? toDirectoryLinks(site, { ...filters, page: view.paging?.page ?? 1 })
      : toGroupLinks(site, group),
    ...toQueryQuotes(page, (search) => pageMarkdownUrl(site, 'directory', search)),
    paragraph(
      `${counts}. Last changed ${new Date(changedAtMs).toISOString()}.`,
      isFiltered && group === null ? ' Only events that match the filters in the URL.' : '',
    ),
    ...toUnderstoodLine(page),
    ...view.sections.flatMap((section, index) => toSection(page, section, rowCounts[index] ?? 0)),
    ...toPager(page),
    ...toNear(page),
  );
}

function toNear({ near, site }: Page): BlockContent[] {
  if (near === null) return [];
  const items = near.events.map((event) => {
    const title = shortenText(toEventTitle(event), nameLengthMax);
    return [link(eventPageUrl(site, event.slug), title), `: ${toFactsLine(event)}`];
  });
  return [paragraph('No event meets all of this.'), heading(2, near.title), list(items)];
}

// Sections get the rows they need in order, but the minimum of the later ones is reserved first.
function allotRows(sections: readonly DirectorySection[], rows: number): number[] {
  const reserved = Math.min(sectionRowsMin, Math.floor(rows / sections.length));
  const shares = sections.map(({ events }) => Math.min(events.length, reserved));
  let left = rows - shares.reduce((sum, share) => sum + share, 0);
  return sections.map(({ events }, index) => {
    const share = shares[index] ?? 0;
    const more = Math.min(events.length - share, left);
    left -= more;
    return share + more;
  });
}

function toSection(
  page: Page,
  { kind, total, events }: DirectorySection,
  rows: number,
): BlockContent[] {
  const { site, view } = page;
  const blocks: BlockContent[] = [heading(2, sectionTitles[kind])];
  const shown = events.slice(0, rows).map((event) => toRow(event, site));
  if (shown.length > 0) blocks.push(table(columns, shown));
  // Events on other pages do not count as hidden.
  const hidden = (view.paging === null ? total : events.length) - shown.length;
  if (hidden === 0) return blocks;
  const status = sectionStatuses[kind];
  const filters = { ...page.filters, ...(status && { status: [status] }) };
  const pages = link(pageMarkdownUrl(site, 'directory', formatQuery(filters)), 'page by page');
  const json = link(pageUrl(site, 'list', formatListQuery(filters)), 'as JSON');
  const where =
    view.paging === null && status !== null ? ['Read all ', pages, ', or '] : ['Read all '];
  const count = toCountInWords({ shown: shown.length, total });
  blocks.push(paragraph(`${count} are in this table. `, ...where, json, '.'));
  return blocks;
}

function toPager({ site, view: { paging }, filters }: Page): BlockContent[] {
  if (paging === null) return [];
  const { page, pages } = paging;
  const toPage = (number: number, words: string) => {
    const query = formatQuery({ ...filters, page: number });
    return link(pageMarkdownUrl(site, 'directory', query), words);
  };
  const phrases: Phrase[] = [`Page ${page} of ${pages}.`];
  if (page > 1) phrases.push(' ', toPage(page - 1, 'Previous'));
  if (page < pages) phrases.push(' ', toPage(page + 1, 'Next'));
  return [paragraph(...phrases)];
}

function toRow(event: DirectoryEvent, site: Site): Phrase[] {
  return [
    link(eventPageUrl(site, event.slug), shortenText(toEventTitle(event), nameLengthMax)),
    toDatesInWords(event),
    ...toStartAndEnd(event),
    [event.status, toStateInWords(event.state)?.toLowerCase(), event.pinned && 'pinned']
      .filter(Boolean)
      .join(', '),
    toFormatInWords(event.format) ?? 'unknown',
    toPlaceWithDays(event),
    listTerms(event).join(', '),
    toOneLine(event.id),
  ];
}

// An event may meet on a few of its days only.
function toPlaceWithDays(event: DirectoryEvent): string {
  const place = shortenText(toPlace(event) ?? '', nameLengthMax);
  const days = toInPersonDays(event);
  if (days === null) return place;
  return place === '' ? toDatesInWords(days) : `${place} (${toDatesInWords(days)})`;
}
