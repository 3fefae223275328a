import { formatQuery } from '#lib/events/query/events-query.ts';
import { findMonth, parsePageQuery } from '#lib/events/query/page-query.ts';
import { requireEvent } from '#lib/events/search/select-events.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { selectDirectoryView, selectMonth, selectNext } from '#lib/events/view/select-views.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { loadDocsPage, toDocsMarkdown } from '#lib/representations/docs/pages.ts';
import { toDirectoryMarkdown } from '#lib/representations/markdown/pages/directory.ts';
import { toEventMarkdown } from '#lib/representations/markdown/pages/event.ts';
import { toMonthMarkdown } from '#lib/representations/markdown/pages/month.ts';
import { toSavedMarkdown } from '#lib/representations/markdown/pages/saved.ts';
import { toSubscribeMarkdown } from '#lib/representations/markdown/pages/subscribe.ts';
import type { Page } from '../classify-url.ts';

/** The Markdown of a page: a static text, or written from events or models. */
export type MarkdownPage =
  | Readonly<{ kind: 'text'; path: string; write: () => string }>
  | Readonly<{ kind: 'events'; toPage: (snapshot: EventsSnapshot) => EventsPage }>
  | Readonly<{ kind: 'models' }>;

type EventsPage = Readonly<{
  /** Path and query of its HTML. */
  path: string;
  /** Distinguishes pages with the same path. */
  key?: string;
  write: () => string;
}>;

type PageOptions = Readonly<{
  site: Site;
  /** The query with its `?`, or empty: the directory's filters. */
  search: string;
}>;

/**
 * Finds the Markdown of a page.
 * @throws HttpError 404 if there is no such page.
 */
export function findMarkdownPage(page: Page, { site, search }: PageOptions): MarkdownPage {
  if (page.kind === 'directory') return { kind: 'events', toPage: toDirectoryPage(site, search) };
  if (page.kind === 'month') return { kind: 'events', toPage: toMonthPage(site, search) };
  if (page.kind === 'subscribe') {
    return { kind: 'events', toPage: toSubscribePage(site, search) };
  }
  if (page.kind === 'event') return { kind: 'events', toPage: toEventPage(page.slug, site) };
  if (page.kind === 'models') return { kind: 'models' };
  if (page.kind === 'saved') {
    return { kind: 'text', path: '/saved', write: () => toSavedMarkdown({ site }) };
  }
  const docsPage = page.kind === 'docs' && loadDocsPage(page.name, site);
  if (docsPage) {
    return { kind: 'text', path: docsPage.path, write: () => toDocsMarkdown(docsPage, site) };
  }
  throw createApiError('not_found', { message: 'There is no page at this URL.' });
}

function toDirectoryPage(site: Site, search: string) {
  const { query, problems } = parsePageQuery('directory', search);
  const { page = 1, view: _, ...filters } = query;
  return (snapshot: EventsSnapshot): EventsPage => ({
    path: `/${formatQuery({ ...filters, page })}`,
    key: JSON.stringify(problems),
    write: () =>
      toDirectoryMarkdown(selectDirectoryView(snapshot, { filters, page }), {
        site,
        filters,
        problems,
        changedAtMs: snapshot.changedAtMs,
      }),
  });
}

function toMonthPage(site: Site, search: string) {
  const { query, problems } = parsePageQuery('month', search);
  const { month: urlMonth, ...filters } = query;
  return (snapshot: EventsSnapshot): EventsPage => {
    const { day: today } = snapshot;
    const month = findMonth(`/calendar${formatQuery({ month: urlMonth })}`, today);
    if (month === null) throw createApiError('not_found', noSuchMonth);
    const { events } = selectMonth(snapshot, { filters, month });
    return {
      path: `/calendar${formatQuery(query)}`,
      key: JSON.stringify(problems),
      write: () => toMonthMarkdown(events, { site, month, urlMonth, today, filters, problems }),
    };
  };
}

const noSuchMonth = {
  message: 'That month isn’t in the calendar.',
  hint: 'It goes ten years back and five years ahead. Write a month as `month=2026-12`.',
};

function toSubscribePage(site: Site, search: string) {
  const { query: filters, problems } = parsePageQuery('subscribe', search);
  return (snapshot: EventsSnapshot): EventsPage => ({
    path: `/subscribe${formatQuery(filters)}`,
    key: JSON.stringify(problems),
    write: () => toSubscribeMarkdown(selectNext(snapshot, filters), { site, filters, problems }),
  });
}

function toEventPage(name: string, site: Site) {
  return (snapshot: EventsSnapshot): EventsPage => {
    const event = requireEvent(snapshot, name);
    return { path: `/events/${event.slug}`, write: () => toEventMarkdown(event, { site }) };
  };
}
