import { LRUCache } from 'lru-cache';
import type { BlockContent, Root } from 'mdast';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { toCountInWords } from '#lib/events/view/directory/directory-view.ts';
import { inDirectoryOrder, toSections } from '#lib/events/view/directory/sections.ts';
import { toEventTitle, toFactsLine } from '#lib/events/view/event-facts.ts';
import { feedRows } from '#lib/events/view/representation-table.ts';
import {
  eventMarkdownUrl,
  pageUrl,
  type Site,
  toMarkdownPath,
  toPageUrl,
} from '#lib/events/view/site-urls.ts';
import { shortenText, toOneLine } from '#lib/events/words/clean-text.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import type { YieldWhenDue } from '#lib/http/time-slices.ts';
import { docsGroups, docsNames } from '../docs/page-rows.ts';
import { loadDocsPage, toTextMarkdown } from '../docs/pages.ts';
import { heading, link, list, type Phrase, paragraph, quote, root } from './nodes.ts';
import { toEventMarkdown } from './pages/event.ts';
import { writeFittingMarkdown, writeMarkdown } from './write-markdown.ts';

type Entry = Readonly<{ name: string; url: string; note: string }>;

type ListedPage = Readonly<{ path: string; title: string; description: string }>;

const eventsMax = 60;
const nameLengthMax = 100;
const noteLengthMax = 120;

/**
 * The index of the site for language models (https://llmstxt.org): a title, a one-line block quote, prose,
 * then sections of links only. The reference parser is a regular expression, so names must not contain
 * brackets and URLs no parentheses.
 */
export function toLlmsTxt(
  events: readonly MarqueeEvent[],
  { site, pages }: Readonly<{ site: Site; pages: readonly ListedPage[] }>,
): string {
  const { onNow, openEnded, comingUp, past } = toSections(events);
  const current = [...onNow, ...openEnded];
  const toEntries = (some: readonly MarqueeEvent[], count: number) =>
    some.slice(0, count).map((event) => toEventEntry(event, site));
  const toTree = (count: number): Root => {
    const pastCount = Math.ceil(count / 2);
    const counts = [
      toCount('On now', onNow, count),
      toCount('Open-ended', openEnded, Math.max(0, count - onNow.length)),
      toCount('Coming up', comingUp, count),
      toCount('Past', past, pastCount),
    ].join(' ');
    const isComplete =
      current.length <= count && comingUp.length <= count && past.length <= pastCount;
    return root(
      heading(1, withoutBrackets(toOneLine(site.name)) || 'Events'),
      quote('A directory of events for people who make things.'),
      paragraph(
        `${counts} ${isComplete ? 'All are listed below.' : '“30 of 640” means that only the first 30 are listed below; the JSON list is complete.'} An event’s id never changes, but its slug changes with its name. To get a page as Markdown, send Accept: text/markdown or add .md to its URL. Add .ics to the URL of an event for a calendar file.`,
      ),
      ...toSection('Pages', pages.map(toPageEntry(site))),
      ...toSection('Documentation', docsGroups.flat().map(toPageEntry(site))),
      ...toSection('Current events', toEntries(current, count)),
      ...toSection('Upcoming events', toEntries(comingUp, count)),
      ...toSection('API and feeds', [
        ...toApiEntries(site),
        ...feedRows.map(({ title, path }) => ({
          name: title,
          url: toPageUrl(site, path),
          note: 'the latest announcements',
        })),
      ]),
      ...toSection('Optional', toEntries(past, pastCount)),
    );
  };
  return writeFittingMarkdown({ toTree, sizeMax: eventsMax });
}

function toCount(title: string, events: readonly MarqueeEvent[], shownMax: number): string {
  const total = events.length;
  return `${title}: ${toCountInWords({ shown: Math.min(total, shownMax), total })}.`;
}

function toPageEntry(site: Site) {
  return ({ path, title, description }: ListedPage): Entry => {
    return { name: title, url: toPageUrl(site, toMarkdownPath(path)), note: description };
  };
}

function toApiEntries(site: Site): Entry[] {
  return [
    {
      name: 'Everything in one file',
      url: pageUrl(site, 'llmsFullTxt'),
      note: 'the documentation and all events',
    },
    { name: 'List of events', url: pageUrl(site, 'list'), note: 'JSON, with filters' },
    {
      name: 'MCP',
      url: pageUrl(site, 'mcp'),
      note: 'search, fetch, list_events and get_event',
    },
    { name: 'Calendar', url: pageUrl(site, 'calendar'), note: 'iCalendar, with filters' },
    {
      name: 'OpenAPI',
      url: pageUrl(site, 'openApi'),
      note: 'machine-readable description of the API',
    },
  ];
}

function toEventEntry(event: MarqueeEvent, site: Site): Entry {
  return {
    name: shortenText(withoutBrackets(toEventTitle(event)), nameLengthMax) || 'Untitled',
    url: eventMarkdownUrl(site, event.slug),
    note: shortenText(withoutBrackets(toFactsLine(event)), noteLengthMax),
  };
}

function toSection(title: string, entries: readonly Entry[]): BlockContent[] {
  // Some parsers fail on a heading without links.
  if (entries.length === 0) return [];
  const items = entries.map(({ name, url, note }): Phrase[] => [link(url, name), `: ${note}`]);
  return [heading(2, title), list(items)];
}

// A bracket ends the name for the reference parser, even an escaped one.
function withoutBrackets(text: string): string {
  return text.replace(/[[\]]/g, ' ').replace(/\s+/g, ' ').trim();
}

type FullTextOptions = Readonly<{
  site: Site;
  /** Pages in Markdown that precede the events, each written when it is due. */
  pages: readonly (() => string)[];
  /** When the events last changed, Unix time in ms. */
  changedAtMs: number;
  /** Awaited between events, since writing one takes time. */
  yieldWhenDue?: YieldWhenDue;
}>;

/** In characters; the events beyond it are omitted. About 250,000 tokens, the most that a large model can read. */
export const fullTextLengthMax = 1_000_000;

/**
 * The whole site as one text for language models: its pages, then every event as on its own page, current
 * ones first and past ones last. Pages are separated by a thematic break.
 */
export async function toLlmsFullTxt(
  events: readonly MarqueeEvent[],
  { site, pages, changedAtMs, yieldWhenDue }: FullTextOptions,
): Promise<string> {
  const ordered = inDirectoryOrder(events);
  const texts: string[] = [];
  let length = 0;
  let shown = 0;
  for (const writePage of pages) {
    const text = writePage();
    length += text.length;
    texts.push(text);
    await yieldWhenDue?.();
  }
  for (const event of ordered) {
    const text = toEventText(event, site);
    if (length + text.length > fullTextLengthMax) break;
    length += text.length;
    texts.push(text);
    shown++;
    await yieldWhenDue?.();
  }
  const opening = toOpening({ site, changedAtMs, shown, hidden: ordered.length - shown });
  return [opening, ...texts].join('\n---\n\n');
}

/** Most events are the same in the next version of the content, and writing one takes two milliseconds. */
const eventTexts = new LRUCache<string, string>({
  maxSize: 6 * fullTextLengthMax,
  sizeCalculation: (text, key) => text.length + key.length,
});

function toEventText(event: MarqueeEvent, site: Site): string {
  const key = JSON.stringify([site, event]);
  const known = eventTexts.get(key);
  if (known !== undefined) return known;
  const text = toEventMarkdown(event, { site });
  eventTexts.set(key, text);
  return text;
}

type Opening = Readonly<{ site: Site; changedAtMs: number; shown: number; hidden: number }>;

function toOpening({ site, changedAtMs, shown, hidden }: Opening): string {
  const omitted =
    hidden === 0
      ? ''
      : ` ${formatCountOf(hidden, 'event that ended long ago is', 'events that ended long ago are')} omitted.`;
  return writeMarkdown(
    root(
      heading(1, `${toOneLine(site.name)}: full text`),
      quote('The documentation and all events of the directory, in one file.'),
      paragraph(
        `${formatCountOf(shown, 'event')}. Last changed ${new Date(changedAtMs).toISOString()}.${omitted} `,
        link(pageUrl(site, 'list'), 'All events as JSON'),
        ' · Index: ',
        link(pageUrl(site, 'llmsTxt'), '/llms.txt'),
      ),
    ),
  );
}

/** All of the documentation and all events of a snapshot as one text: `/llms-full.txt`. */
export function writeFullText(
  { events, changedAtMs }: EventsSnapshot,
  { site, yieldWhenDue }: Readonly<{ site: Site; yieldWhenDue: YieldWhenDue }>,
): Promise<string> {
  const pages = docsNames.map((name) => () => {
    const page = loadDocsPage(name, site);
    return page === undefined ? '' : toTextMarkdown(page, site);
  });
  return toLlmsFullTxt(events, { site, pages, changedAtMs, yieldWhenDue });
}
