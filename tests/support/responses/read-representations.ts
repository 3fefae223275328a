import ICAL from 'ical.js';
import type { RootContent, Table } from 'mdast';
import { toString as toText } from 'mdast-util-to-string';
import type { Page } from 'playwright';
import RssParser from 'rss-parser';
import { parseMarkdown } from './markdown-tree.ts';

/** An event as parsed from a representation by another library; missing facts are absent. */
export type ReadEvent = Readonly<{
  id?: string;
  slug?: string;
  name: string;
  status?: string;
  state?: string;
  startDate?: string;
  /** null: open-ended. */
  endDate?: string | null;
  announcedAt?: string;
  text?: string;
}>;

// Titles of events that do not take place as announced begin with their state.
function splitState(title: string) {
  const [, words, name] = /^(Cancelled|Postponed|Moved online): (.*)$/s.exec(title) ?? [];
  return { name: name ?? title, state: toState(words) };
}

function toState(words = 'scheduled'): string {
  return words.toLowerCase().replace(' ', '-');
}

const tagPrefix = 'tag:marquee.events,2026:';

export async function readRss(xml: string): Promise<ReadEvent[]> {
  const { items } = await new RssParser().parseString(xml);
  return items.map((item) => ({
    id: item.guid?.replace(tagPrefix, '') ?? '',
    slug: toSlug(item.link ?? ''),
    ...splitState(item.title ?? ''),
    announcedAt: item.isoDate ?? '',
    text: item.content ?? '',
  }));
}

type FeedItem = Readonly<{
  id: string;
  url: string;
  title: string;
  date_published: string;
  _marquee: Readonly<{ status: string; state: string; startDate: string; endDate: string | null }>;
}>;

export function readJsonFeed(json: string): ReadEvent[] {
  const { items }: { items: FeedItem[] } = JSON.parse(json);
  return items.map(
    ({ id, url, title, date_published, _marquee: { status, state, startDate, endDate } }) => ({
      id: id.replace(tagPrefix, ''),
      slug: toSlug(url),
      ...splitState(title),
      announcedAt: date_published,
      status,
      state,
      startDate,
      endDate,
    }),
  );
}

/** The entries of whole events, without those for their days at their place. */
export function readCalendar(text: string): ReadEvent[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const components = calendar
    .getAllSubcomponents('vevent')
    .filter((component) => !new ICAL.Event(component).uid.endsWith('-in-person'));
  return components.map((component) => {
    const event = new ICAL.Event(component);
    const isTimed = !event.startDate.isDate;
    const isOpenEnded = !isTimed && component.getFirstProperty('dtend') === null;
    const lastDay = event.endDate?.clone();
    lastDay?.adjust(-1, 0, 0, 0);
    return {
      id: event.uid.replace(/@.*$/, ''),
      slug: toSlug(String(component.getFirstPropertyValue('url'))),
      ...splitState(isOpenEnded ? event.summary.replace(/ \(open-ended\)$/, '') : event.summary),
      // An open-ended event starts on the current day once it is under way.
      ...(!isOpenEnded && !isTimed && { startDate: toDate(event.startDate) }),
      // Events with times have moments in UTC instead of days.
      ...(!isTimed && { endDate: isOpenEnded ? null : lastDay ? toDate(lastDay) : '' }),
    };
  });
}

/** The rows of the directory's tables. */
export function readDirectoryMarkdown(markdown: string): ReadEvent[] {
  const tree = parseMarkdown(markdown);
  return tree.children.filter(isTable).flatMap((table) =>
    table.children.slice(1).map((row) => {
      const [name, , startDate = '', end = '', status = '', , , , id = ''] = row.children.map(
        (cell) => toText(cell),
      );
      return {
        id,
        slug: toSlug(firstUrl(row.children[0]?.children ?? [])),
        name: name ?? '',
        // A clock time may follow.
        startDate: startDate.slice(0, 'YYYY-MM-DD'.length),
        endDate: end === 'open-ended' ? null : end.slice(0, 'YYYY-MM-DD'.length),
        status: status.replace(/,.*$/, ''),
        state: toState(status.split(', ').filter((word) => word !== 'pinned')[1]),
      };
    }),
  );
}

/** The title and the table of facts of one event. */
export function readEventMarkdown(markdown: string): ReadEvent {
  const tree = parseMarkdown(markdown);
  const facts = new Map(
    tree.children
      .find(isTable)
      ?.children.map(({ children }) => [toText(children[0]), toText(children[1])] as const),
  );
  const end = facts.get('End date') ?? '';
  return {
    id: facts.get('Id') ?? '',
    slug: facts.get('Slug') ?? '',
    name: toText(tree.children[0]),
    status: facts.get('Status') ?? '',
    state: toState(facts.get('State')),
    startDate: facts.get('Start date') ?? '',
    endDate: end.startsWith('none') ? null : end,
    announcedAt: facts.get('Announced') ?? '',
  };
}

const statusesOfSections: Readonly<Record<string, string>> = {
  'Current events': 'ongoing',
  'Upcoming events': 'upcoming',
  Optional: 'ended',
};

/** The links to events in llms.txt, with the status of their section. */
export function readLlmsTxt(text: string): ReadEvent[] {
  const events: ReadEvent[] = [];
  let section = '';
  for (const node of parseMarkdown(text).children) {
    if (node.type === 'heading') section = toText(node);
    const status = statusesOfSections[section];
    if (node.type !== 'list' || status === undefined) continue;
    for (const { children } of node.children) {
      const [paragraph] = children;
      const [link] = paragraph?.type === 'paragraph' ? paragraph.children : [];
      if (link?.type !== 'link') continue;
      events.push({ slug: toSlug(link.url.replace(/\.md$/, '')), name: toText(link), status });
    }
  }
  return events;
}

/** The slugs of the directory's events in order, from their links. */
export function readSlugsInHtml(html: string): string[] {
  // An empty list suggests the nearest events below.
  const [list = ''] = html.split('id="near"');
  return [...list.matchAll(/<h[34][^>]*><a href="\/events\/([^"]+)"/g)].map(
    ([, slug = '']) => slug,
  );
}

/** The events of the directory, parsed by a browser. */
export function readDirectoryHtml(page: Page, html: string): Promise<ReadEvent[]> {
  return page.evaluate((source) => {
    const document = new DOMParser().parseFromString(source, 'text/html');
    return [...document.querySelectorAll<HTMLElement>('article[data-status]')].map((article) => {
      const link = article.querySelector(':is(h3, h4) a');
      return {
        slug: link?.getAttribute('href')?.replace('/events/', '') ?? '',
        name: link?.textContent ?? '',
        status: article.dataset.status ?? '',
        // An event that is on is named by its end, so its start may be the second date.
        startDate: [...article.querySelectorAll('time')].map((day) => day.dateTime).sort()[0] ?? '',
      };
    });
  }, html);
}

/** The heading and the facts of an event's page, and elements that could do harm. */
export function readEventHtml(
  page: Page,
  html: string,
): Promise<ReadEvent & { readonly harmful: readonly string[] }> {
  return page.evaluate((source) => {
    const document = new DOMParser().parseFromString(source, 'text/html');
    const article = document.querySelector<HTMLElement>('article[data-event-id]');
    const stage = article?.querySelector<HTMLElement>('.event-stage');
    // All days come before those at the place.
    const days = article?.querySelector('[aria-labelledby="dates"] dd');
    const [start, end] = [...(days?.querySelectorAll('time') ?? [])].map((day) => day.dateTime);
    const isOpenEnded = days?.textContent.includes('open-ended') === true;
    // Only text from the table: the rest of the page has its own icons and buttons.
    const words =
      article?.querySelectorAll(
        'h1 *, .ticket-summary *, .ticket-place bdi *, dl *, .event-text *',
      ) ?? [];
    const harmful = [...words].filter(
      (element) =>
        /^(?:script|iframe|object|embed|style|svg|img|form|input|textarea)$/i.test(
          element.tagName,
        ) ||
        element.getAttributeNames().some((name) => name.startsWith('on')) ||
        /^\s*(?:javascript|data|vbscript):/i.test(element.getAttribute('href') ?? ''),
    );
    return {
      id: article?.dataset.eventId ?? '',
      name: article?.querySelector('h1')?.textContent ?? '',
      status: stage?.dataset.status ?? '',
      startDate: start ?? '',
      // One day is written once.
      endDate: isOpenEnded ? null : (end ?? start ?? ''),
      harmful: harmful.map((element) => element.outerHTML),
    };
  }, html);
}

// The library writes years without leading zeros.
function toDate(day: ICAL.Time): string {
  return day.toString().padStart('YYYY-MM-DD'.length, '0');
}

function isTable(node: RootContent): node is Table {
  return node.type === 'table';
}

function firstUrl(nodes: readonly RootContent[]): string {
  const link = nodes.find((node) => node.type === 'link');
  return link?.type === 'link' ? link.url : '';
}

function toSlug(url: string): string {
  return decodeURIComponent(url.split('/events/')[1] ?? '');
}
