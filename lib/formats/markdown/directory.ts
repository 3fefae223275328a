import type { BlockContent, Root } from 'mdast';
import type { MarqueeEvent } from '#lib/events/schema.ts';
import { type EventSections, toSections } from '#lib/events/sections.ts';
import { toDatesInWords } from '../dates-in-words.ts';
import { toEventTitle, toFormatInWords, toPlace } from '../event-facts.ts';
import { eventPageUrl, listUrl, type Site } from '../site.ts';
import { shortenText, toOneLine } from '../xml-text.ts';
import { directoryForms } from './forms.ts';
import { heading, link, type Phrase, paragraph, quote, root, table } from './nodes.ts';
import { writeFittingMarkdown } from './write-markdown.ts';

export type DirectoryOptions = Readonly<{
  site: Site;
  /** When the events were read, ISO 8601. */
  generatedAt: string;
  /** The filters that `events` went through, as a query with its `?`; empty for all events. */
  search?: string;
  /** What was not understood in the address, and therefore left out. */
  problems?: readonly Readonly<{ message: string; hint: string }>[];
}>;

type Page = Required<DirectoryOptions> & Readonly<{ sections: EventSections }>;

const rowsMax = 160;

/** A past event tells a reader less than one to come: these are few, even where there is room. */
const pastRowsMax = 40;

/** However long the sections before it are, each section shows this many rows. */
const rowsKept = 8;

const nameLengthMax = 120;

/** The directory as a Markdown page: what is on, what comes, what is over, a table each. */
export function toDirectoryMarkdown(
  events: readonly MarqueeEvent[],
  options: DirectoryOptions,
): string {
  const page = { search: '', problems: [], ...options, sections: toSections(events) };
  return writeFittingMarkdown({ toTree: (rows) => toTree(page, rows), sizeMax: rowsMax });
}

function toTree(page: Page, rows: number): Root {
  const { site, sections, generatedAt, search, problems } = page;
  const { onNow, comingUp, openEnded, past } = sections;
  const counts = allotRows([onNow, comingUp, openEnded, past.slice(0, pastRowsMax)], rows);
  const [onNowRows = 0, comingUpRows = 0, openEndedRows = 0, pastRows = 0] = counts;
  return root(
    heading(1, toOneLine(site.name)),
    directoryForms(site, search),
    ...problems.map(({ message, hint }) => quote(`${message} ${hint} It was left out.`)),
    paragraph(
      `${onNow.length} on now, ${comingUp.length} coming up, ${openEnded.length} open-ended, ${past.length} past. Read ${generatedAt}.`,
      search === '' ? '' : ' Only events that the filters in the address let through.',
    ),
    ...toSection(page, { title: 'On now', events: onNow, rows: onNowRows }),
    ...toSection(page, { title: 'Coming up', events: comingUp, rows: comingUpRows }),
    ...toSection(page, { title: 'Open-ended', events: openEnded, rows: openEndedRows }),
    ...toSection(page, { title: 'Past', events: past, rows: pastRows }),
  );
}

// In their order sections take what they need, but for a few rows kept for each of those behind them.
function allotRows(sections: ReadonlyArray<readonly MarqueeEvent[]>, rows: number): number[] {
  const kept = Math.min(rowsKept, Math.floor(rows / sections.length));
  const shares = sections.map((events) => Math.min(events.length, kept));
  let left = rows - shares.reduce((sum, share) => sum + share, 0);
  return sections.map((events, index) => {
    const share = shares[index] ?? 0;
    const more = Math.min(events.length - share, left);
    left -= more;
    return share + more;
  });
}

type Section = Readonly<{ title: string; events: readonly MarqueeEvent[]; rows: number }>;

function toSection({ site, search }: Page, { title, events, rows }: Section): BlockContent[] {
  if (events.length === 0) return [heading(2, title), paragraph('None.')];
  const columns = ['Event', 'Dates', 'Starts', 'Ends', 'Status', 'Format', 'Place', 'Id'];
  const shown = events.slice(0, rows).map((event) => toRow(event, site));
  const hidden = events.length - shown.length;
  const blocks: BlockContent[] = [heading(2, title)];
  if (shown.length > 0) blocks.push(table(columns, shown));
  if (hidden > 0) {
    const all = link(listUrl(site, search), 'the list as JSON');
    blocks.push(paragraph(`${hidden} more are not in this table. They are in `, all, '.'));
  }
  return blocks;
}

function toRow(event: MarqueeEvent, site: Site): Phrase[] {
  return [
    link(eventPageUrl(site, event.slug), shortenText(toEventTitle(event), nameLengthMax)),
    toDatesInWords(event),
    event.startDate,
    event.endDate ?? 'open-ended',
    event.pinned ? `${event.status}, pinned` : event.status,
    toFormatInWords(event.format) ?? 'not said',
    shortenText(toPlace(event) ?? '', nameLengthMax),
    toOneLine(event.id),
  ];
}
