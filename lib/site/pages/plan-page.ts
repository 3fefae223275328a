import { findMonth } from '#lib/events/query/page-query.ts';
import {
  freshnessOfContent,
  redirectRenamed,
  toContentKey,
} from '#lib/events/respond-from-snapshot.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import { type EventsSnapshot, findEvent } from '#lib/events/source/snapshot.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { toHttpError } from '#lib/http/errors/errors.ts';
import type { Freshness } from '#lib/http/response.ts';
import { loadDocsPage } from '#lib/representations/docs/pages.ts';
import type { Page } from './classify-url.ts';
import { loadModels, type ModelsSource } from './load-models.ts';
import { type PrivatePlan, planPrivatePage, type Sessions } from './plan-private-page.ts';
import { processStartedAtMs, textFreshness } from './text/respond-with-text.ts';

/** How a page is served. `url` is what Next renders, inside the app. */
export type PagePlan =
  | PlannedPage
  /** An error page that depends on nothing but its status. */
  | Readonly<{ kind: 'error'; url: '/404' | '/no-month' | '/unavailable'; status: number }>
  /** A 404 that suggests other events. */
  | Readonly<{ kind: 'missing'; url: string; snapshot: EventsSnapshot }>
  | PrivatePlan
  | Readonly<{ kind: 'redirect'; response: Response }>;

export type PlannedPage = Readonly<{
  kind: 'page';
  url: string;
  /** The same version gives the same page. */
  version: string;
  /** Unix time in ms of the last change to what it shows. */
  changedAtMs: number;
  freshness: Freshness;
  /** The events to render it from. */
  snapshot: EventsSnapshot | null;
}>;

export type PageParts = Readonly<{
  site: Site;
  events: EventsLoader;
  models: ModelsSource;
  /** Null without accounts. */
  members: Sessions | null;
}>;

export const modelsFreshMs = 60_000;

const notFound: PagePlan = { kind: 'error', url: '/404', status: 404 };
const noMonth: PagePlan = { kind: 'error', url: '/no-month', status: 404 };

/**
 * Plans a page: whether it exists, what it is rendered from, and how long that stays fresh.
 * @param url its canonical URL.
 * @param headers of the request, which decide who sees the admin pages.
 */
export async function planPage(
  parts: PageParts,
  page: Page,
  url: string,
  headers: Headers,
): Promise<PagePlan> {
  switch (page.kind) {
    case 'directory':
    case 'event':
    case 'month':
    case 'subscribe':
      return planFromEvents(parts.events, page, url);
    case 'docs':
      return loadDocsPage(page.name, parts.site) === undefined ? notFound : planText(url);
    case 'models':
      return planModels(parts.models, url);
    case 'saved':
      return planText(url);
    case 'account':
    case 'admin':
      return (await planPrivatePage(parts.members, page.kind, url, headers)) ?? notFound;
    case 'unknown':
      return notFound;
  }
}

async function planFromEvents(
  events: EventsLoader,
  page: Extract<Page, { kind: 'directory' | 'event' | 'month' | 'subscribe' }>,
  url: string,
): Promise<PagePlan> {
  let snapshot: EventsSnapshot;
  try {
    snapshot = await events.current();
  } catch (thrown) {
    return { kind: 'error', url: '/unavailable', status: toHttpError(thrown).status };
  }
  if (page.kind === 'month' && findMonth(url, snapshot.day) === null) return noMonth;
  if (page.kind !== 'event') return planSnapshot(snapshot, events, url);
  const event = findEvent(snapshot, page.slug);
  if (event !== undefined) return planSnapshot(snapshot, events, `/events/${event.slug}`);
  const response = redirectRenamed(snapshot, events, { slug: page.slug, extension: '' });
  return response === null
    ? { kind: 'missing', url: `/missing/${encodeURIComponent(page.slug)}`, snapshot }
    : { kind: 'redirect', response };
}

function planSnapshot(snapshot: EventsSnapshot, events: EventsLoader, url: string): PagePlan {
  return {
    kind: 'page',
    url,
    version: toContentKey(snapshot),
    changedAtMs: snapshot.changedAtMs,
    freshness: freshnessOfContent(snapshot, events),
    snapshot,
  };
}

function planText(url: string): PagePlan {
  return {
    kind: 'page',
    url,
    version: 'static',
    changedAtMs: processStartedAtMs,
    freshness: textFreshness,
    snapshot: null,
  };
}

async function planModels(models: ModelsSource, url: string): Promise<PagePlan> {
  const lists = await loadModels(models);
  const isListed = lists.kind === 'listed';
  const changedAtMs = isListed ? lists.readAtMs : processStartedAtMs;
  return {
    kind: 'page',
    url,
    version: `models ${lists.kind} ${changedAtMs}`,
    changedAtMs,
    freshness: isListed ? freshFor(modelsFreshMs) : () => null,
    snapshot: null,
  };
}

/** Fresh for a fixed time from now, ms. */
export function freshFor(durationMs: number): Freshness {
  const staleAt = performance.now() + durationMs;
  return () => {
    const seconds = Math.floor((staleAt - performance.now()) / 1000);
    return seconds > 0 ? `public, max-age=${seconds}` : null;
  };
}
