import type { BlockContent, Root } from 'mdast';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { shortenText, toOneLine } from '#lib/events/view/clean-text.ts';
import { toEventTitle, toFactsLine } from '#lib/events/view/event-facts.ts';
import { toSections } from '#lib/events/view/sections.ts';
import {
  eventMarkdownUrl,
  pageMarkdownUrl,
  pageUrl,
  type Site,
} from '#lib/events/view/site-urls.ts';
import { heading, link, list, type Phrase, paragraph, quote, root } from './nodes.ts';
import { writeFittingMarkdown } from './write-markdown.ts';

type Entry = Readonly<{ name: string; url: string; note: string }>;

const eventsMax = 60;
const nameLengthMax = 100;
const noteLengthMax = 120;

/**
 * The index of the site for language models (https://llmstxt.org): a title, a quote of one line, prose,
 * then sections of nothing but links. The widespread parser of these files is a regular expression, so
 * names hold no brackets and addresses no parentheses.
 */
export function toLlmsTxt(
  events: readonly MarqueeEvent[],
  { site }: Readonly<{ site: Site }>,
): string {
  const sections = toSections(events);
  const now = [...sections.onNow, ...sections.openEnded];
  const toEntries = (some: readonly MarqueeEvent[], count: number) =>
    some.slice(0, count).map((event) => toEventEntry(event, site));
  const toTree = (count: number): Root => {
    const pastCount = Math.ceil(count / 2);
    const isWhole =
      now.length <= count && sections.comingUp.length <= count && sections.past.length <= pastCount;
    return root(
      heading(1, withoutBrackets(toOneLine(site.name)) || 'Events'),
      quote('A directory of events for people who make things.'),
      paragraph(
        `On now: ${now.length}. Coming up: ${sections.comingUp.length}. Past: ${sections.past.length}. ${isWhole ? 'Each has a line below' : 'Not every event has a line below'}; the list as JSON has all of each. An event keeps its id for good, while its slug follows its name. Pages answer in Markdown to Accept: text/markdown, and at their address with .md behind it. An event’s address with .ics behind it is a calendar file.`,
      ),
      ...toSection('Pages', pageEntries(site)),
      ...toSection('Events on now', toEntries(now, count)),
      ...toSection('Events coming up', toEntries(sections.comingUp, count)),
      ...toSection('API and feeds', apiEntries(site)),
      ...toSection('Optional', toEntries(sections.past, pastCount)),
    );
  };
  return writeFittingMarkdown({ toTree, sizeMax: eventsMax });
}

function pageEntries(site: Site): Entry[] {
  return [
    {
      name: 'All events',
      url: pageMarkdownUrl(site, 'directory'),
      note: 'what is on, coming up and past',
    },
    { name: 'Documentation', url: pageMarkdownUrl(site, 'docs'), note: 'where to begin' },
    {
      name: 'AI proxy',
      url: pageMarkdownUrl(site, 'aiDocs'),
      note: 'many models behind the API of OpenAI, with one key',
    },
    { name: 'Models', url: pageMarkdownUrl(site, 'models'), note: 'language and embedding models' },
    {
      name: 'Everything in one file',
      url: pageUrl(site, 'llmsFullTxt'),
      note: 'the documentation and the events themselves',
    },
  ];
}

function apiEntries(site: Site): Entry[] {
  return [
    { name: 'List of events', url: pageUrl(site, 'list'), note: 'JSON, with filters' },
    { name: 'RSS', url: pageUrl(site, 'rss'), note: 'the latest announcements' },
    { name: 'JSON Feed', url: pageUrl(site, 'jsonFeed'), note: 'the latest announcements' },
    { name: 'Calendar', url: pageUrl(site, 'calendar'), note: 'iCalendar, with filters' },
    { name: 'OpenAPI', url: pageUrl(site, 'openApi'), note: 'description of the API' },
    { name: 'Events API', url: pageMarkdownUrl(site, 'apiDocs'), note: 'reference' },
    { name: 'Errors', url: pageMarkdownUrl(site, 'errorDocs'), note: 'each code and what to do' },
    { name: 'Versioning', url: pageMarkdownUrl(site, 'versioningDocs'), note: 'what may change' },
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
  // A title with nothing below it is more than some parsers bear.
  if (entries.length === 0) return [];
  const items = entries.map(({ name, url, note }): Phrase[] => [link(url, name), `: ${note}`]);
  return [heading(2, title), list(items)];
}

// Escaped or not, a bracket ends the name for the regular expression.
function withoutBrackets(text: string): string {
  return text.replace(/[[\]]/g, ' ').replace(/\s+/g, ' ').trim();
}
