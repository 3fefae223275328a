import { formatQuery } from '#lib/events/query/events-query.ts';
import { findMonth, parsePageQuery } from '#lib/events/query/page-query.ts';
import { requireEventOrRedirect } from '#lib/events/respond-from-snapshot.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import type { NameKind } from '#lib/events/source/name-index.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { findGroup, toGroupFilters, toGroupPath } from '#lib/events/view/named-groups.ts';
import { selectNearEvents } from '#lib/events/view/search-notes.ts';
import {
  selectDirectoryView,
  selectMonth,
  selectNext,
  selectQueryNotes,
  selectRecent,
} from '#lib/events/view/select-views.ts';
import { selectChanges } from '#lib/events/view/shown-changes.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { createApiError, type HttpError } from '#lib/http/errors/errors.ts';
import { toTextMarkdown } from '#lib/representations/docs/pages.ts';
import {
  type MapView,
  parseMapView,
  selectCities,
  toMapPath,
} from '#lib/representations/map/areas.ts';
import { toDirectoryMarkdown } from '#lib/representations/markdown/pages/directory.ts';
import { toEventPageMarkdown } from '#lib/representations/markdown/pages/event.ts';
import { toMapMarkdown } from '#lib/representations/markdown/pages/map.ts';
import { toMonthMarkdown } from '#lib/representations/markdown/pages/month.ts';
import { toChangesMarkdown, toRecentMarkdown } from '#lib/representations/markdown/pages/recent.ts';
import { toSubscribeMarkdown } from '#lib/representations/markdown/pages/subscribe.ts';
import type { LoadText } from './plan-page.ts';

/** The Markdown of a page: a static text, or written from events or models. */
type MarkdownPage =
  | Readonly<{ kind: 'text'; path: string; write: () => string }>
  | Readonly<{ kind: 'events'; toPage: ToEventsPage }>
  | Readonly<{ kind: 'models' }>;

/** @param extension of its URL, for the redirect of an event that was renamed. */
type ToEventsPage = (
  snapshot: EventsSnapshot,
  events: EventsLoader,
  extension: '.md' | '',
) => EventsPage | Response | Promise<EventsPage | Response>;

type EventsPage = Readonly<{
  /** Path and query of its HTML. */
  path: string;
  /** Distinguishes pages with the same path. */
  key?: string;
  write: () => string;
}>;

/**
 * Finds the Markdown of a page.
 * @throws HttpError 404 if there is no such page.
 */
export type FindMarkdown = (
  page: Readonly<{
    /** The variable part of its path. */
    name: string;
    /** The query with its `?`, or empty: the filters. */
    search: string;
  }>,
  site: Site,
  options: Readonly<{ sendsMails: boolean }>,
) => MarkdownPage;

export const findModelsMarkdown: FindMarkdown = () => ({ kind: 'models' });

/** A page of text, if there is one with the name. */
export function findTextMarkdown(loadText: LoadText): FindMarkdown {
  return ({ name }, site) => {
    const page = loadText(name, site);
    if (page === undefined) throw noSuchPage();
    return { kind: 'text', path: page.path, write: () => toTextMarkdown(page, site) };
  };
}

export const findDirectoryMarkdown: FindMarkdown = (requested, site) => {
  const parsed = parsePageQuery('directory', requested.search);
  const { page = 1, view: _, ...filters } = parsed.query;
  return {
    kind: 'events',
    toPage: (snapshot) => ({
      path: `/${formatQuery({ ...filters, page })}`,
      key: JSON.stringify(parsed.problems),
      write() {
        const view = selectDirectoryView(snapshot, { filters, page });
        return toDirectoryMarkdown(view, {
          site,
          filters,
          ...selectQueryNotes(snapshot, { ...parsed, query: filters }),
          near: view.total === 0 ? selectNearEvents(snapshot, filters) : null,
          changedAtMs: snapshot.changedAtMs,
        });
      },
    }),
  };
};

export const findMonthMarkdown: FindMarkdown = ({ search }, site) => {
  const parsed = parsePageQuery('month', search);
  const { month: urlMonth, ...filters } = parsed.query;
  const toPage = (snapshot: EventsSnapshot): EventsPage => {
    const { day: today } = snapshot;
    const month = findMonth(`/calendar${formatQuery({ month: urlMonth })}`, today);
    if (month === null) throw createApiError('not_found', noSuchMonth);
    const { events } = selectMonth(snapshot, { filters, month });
    const notes = selectQueryNotes(snapshot, parsed);
    const options = { site, month, urlMonth, today, filters, ...notes };
    return {
      path: `/calendar${formatQuery(parsed.query)}`,
      key: JSON.stringify(parsed.problems),
      write: () => toMonthMarkdown(events, options),
    };
  };
  return { kind: 'events', toPage };
};

const noSuchMonth = {
  message: 'That month isn’t in the calendar.',
  hint: 'It goes ten years back and five years ahead. Write a month as `month=2026-12`.',
};

export const findRecentMarkdown: FindMarkdown = (_, site) => ({
  kind: 'events',
  toPage: (snapshot) => ({
    path: '/recent',
    write: () => toRecentMarkdown(selectRecent(snapshot), site),
  }),
});

export const findChangesMarkdown: FindMarkdown = (_, site) => ({
  kind: 'events',
  toPage: (snapshot) => ({
    path: '/changes',
    write: () => toChangesMarkdown(selectChanges(snapshot), site),
  }),
});

export const findSubscribeMarkdown: FindMarkdown = ({ search }, site, { sendsMails }) => {
  const parsed = parsePageQuery('subscribe', search);
  const { query: filters, problems } = parsed;
  return {
    kind: 'events',
    toPage: (snapshot) => ({
      path: `/subscribe${formatQuery(filters)}`,
      key: JSON.stringify(problems),
      write: () => {
        const options = { site, filters, sendsMails, ...selectQueryNotes(snapshot, parsed) };
        return toSubscribeMarkdown(selectNext(snapshot, filters), options);
      },
    }),
  };
};

/** The page of a city, an organizer or a series. */
export function findGroupMarkdown(kind: NameKind): FindMarkdown {
  return ({ name }, site) => ({
    kind: 'events',
    toPage(snapshot) {
      const group = findGroup(snapshot, kind, name);
      if (group === undefined) throw noSuchPage();
      const filters = toGroupFilters(group);
      const { changedAtMs } = snapshot;
      return {
        path: toGroupPath(group),
        write: () =>
          toDirectoryMarkdown(selectDirectoryView(snapshot, { filters, page: 1 }), {
            site,
            filters,
            group,
            changedAtMs,
          }),
      };
    },
  });
}

export const findMapMarkdown: FindMarkdown = ({ search }, site) => {
  const { area, hasPast } = parseMapView(new URLSearchParams(search));
  const view: MapView = { area: area ?? { kind: 'start' }, hasPast };
  return {
    kind: 'events',
    toPage: (snapshot) => ({
      path: toMapPath(view),
      key: String(area === null),
      write: () =>
        toMapMarkdown(selectCities(snapshot, view), {
          site,
          view,
          today: snapshot.day,
          isUnknown: area === null,
        }),
    }),
  };
};

export const findEventMarkdown: FindMarkdown = ({ name }, site) => ({
  kind: 'events',
  async toPage(snapshot, events, extension) {
    const event = await requireEventOrRedirect(snapshot, events, {
      slug: name,
      toPath: (slug) => `/events/${slug}${extension}`,
    });
    if (event instanceof Response) return event;
    const write = () => toEventPageMarkdown(event, { site, snapshot });
    return { path: `/events/${event.slug}`, write };
  },
});

export function noSuchPage(): HttpError {
  return createApiError('not_found', { message: 'There is no page at this URL.' });
}
