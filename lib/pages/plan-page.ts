import { loadDocsPage } from '#lib/docs/pages.ts';
import { redirectRenamed } from '#lib/events/redirect-renamed.ts';
import { freshnessOfContent } from '#lib/events/respond-from-snapshot.ts';
import type { EventsLoader } from '#lib/events/store/loader.ts';
import { type EventsSnapshot, findEvent } from '#lib/events/store/snapshot.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { toHttpError } from '#lib/http/errors.ts';
import type { Freshness } from '#lib/http/response.ts';
import type { Page } from './classify-url.ts';
import type { ModelsSource } from './load-models.ts';
import { loadModels } from './load-models.ts';

/** How a page is served. */
export type PagePlan =
  | Readonly<{
      kind: 'render';
      /** The URL to render, inside the app. */
      url: string;
      status: number;
      /** The same version gives the same page; null for one that is not cached here. */
      version: string | null;
      /** Unix time in ms of the last change to what it shows. */
      changedAtMs: number;
      /** Null for errors, which no client may cache. */
      freshness: Freshness | null;
      /** The events to render it from. */
      snapshot: EventsSnapshot | null;
    }>
  | Readonly<{ kind: 'redirect'; response: Response }>;

type Parts = Readonly<{
  site: Site;
  events: EventsLoader;
  models: ModelsSource;
}>;

const processStartedAtMs = Date.now();
const staticFreshness: Freshness = () => 'public, max-age=300';
const modelsFreshMs = 60_000;

const notFound: PagePlan = toErrorPage('/404', 404);

/**
 * Plans a page: whether it exists, what it is rendered from, and how long that stays fresh.
 * @param canonicalUrl its path, and its query if it has one.
 */
export async function planPage(parts: Parts, page: Page, canonicalUrl: string): Promise<PagePlan> {
  switch (page.kind) {
    case 'directory':
    case 'event':
      return planFromEvents(parts, page, canonicalUrl);
    case 'docs':
      return loadDocsPage(page.name, parts.site) === undefined ? notFound : planText(canonicalUrl);
    case 'models':
      return planModels(parts, canonicalUrl);
    case 'unknown':
      return notFound;
  }
}

async function planFromEvents(
  { events }: Parts,
  page: Extract<Page, { kind: 'directory' | 'event' }>,
  canonicalUrl: string,
): Promise<PagePlan> {
  let snapshot: EventsSnapshot;
  try {
    snapshot = await events.current();
  } catch (thrown) {
    return toErrorPage('/unavailable', toHttpError(thrown).status);
  }
  if (page.kind === 'directory') return planSnapshot(snapshot, events, canonicalUrl);
  const event = findEvent(snapshot, page.slug);
  if (event !== undefined) return planSnapshot(snapshot, events, `/events/${event.slug}`);
  const redirect = redirectRenamed(snapshot, events, { slug: page.slug, extension: '' });
  if (redirect !== null) return { kind: 'redirect', response: redirect };
  const url = `/missing/${encodeURIComponent(page.slug)}`;
  return { ...toErrorPage(url, 404), version: null, snapshot };
}

function planSnapshot(snapshot: EventsSnapshot, events: EventsLoader, url: string): PagePlan {
  const { version, changedAtMs } = snapshot;
  const freshness = freshnessOfContent(snapshot, events);
  return { kind: 'render', url, status: 200, version, changedAtMs, freshness, snapshot };
}

function planText(url: string): PagePlan {
  return {
    kind: 'render',
    ...{ url, status: 200, version: 'static', changedAtMs: processStartedAtMs },
    ...{ freshness: staticFreshness, snapshot: null },
  };
}

async function planModels({ models }: Parts, url: string): Promise<PagePlan> {
  const lists = await loadModels(models);
  const changedAtMs = lists.kind === 'listed' ? lists.readAtMs : processStartedAtMs;
  return {
    kind: 'render',
    ...{ url, status: 200, version: `models ${lists.kind} ${changedAtMs}`, changedAtMs },
    ...{ freshness: freshFor(modelsFreshMs), snapshot: null },
  };
}

/** Fresh for a fixed time from now, ms. */
export function freshFor(durationMs: number): Freshness {
  const staleAtMs = Date.now() + durationMs;
  return () => {
    const seconds = Math.floor((staleAtMs - Date.now()) / 1000);
    return seconds > 0 ? `public, max-age=${seconds}` : null;
  };
}

function toErrorPage(url: string, status: number): Extract<PagePlan, { kind: 'render' }> {
  return {
    kind: 'render',
    ...{ url, status, version: 'static', changedAtMs: processStartedAtMs },
    ...{ freshness: null, snapshot: null },
  };
}
