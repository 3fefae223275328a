import type { Members } from '#lib/accounts/members.ts';
import { findMonth } from '#lib/events/query/page-query.ts';
import {
  freshnessOfContent,
  redirectRenamed,
  toContentKey,
} from '#lib/events/respond-from-snapshot.ts';
import { findNearestEvents } from '#lib/events/search/nearest-events.ts';
import { findNearestGroups } from '#lib/events/search/nearest-names.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import type { NameKind } from '#lib/events/source/name-index.ts';
import { findFormerEvent } from '#lib/events/source/slugs/former-slugs.ts';
import { type EventsSnapshot, findEvent } from '#lib/events/source/snapshot.ts';
import { findGroup, toGroupPath } from '#lib/events/view/named-groups.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { toHttpError } from '#lib/http/errors/errors.ts';
import type { Freshness, HeaderFields } from '#lib/http/response.ts';
import type { TextPage } from '#lib/representations/docs/pages.ts';
import type { Mail } from '../notifications/mail/mail.ts';
import { loadModels, type ModelsSource } from './load-models.ts';
import { readSession, type Session } from './page-source.ts';
import { processStartedAtMs, textFreshness } from './respond-with-text.ts';

/** How a page is served. `url` is what Next renders, inside the app. */
export type PagePlan =
  | PlannedPage
  /** An error page that depends on nothing but its status. */
  | Readonly<{
      kind: 'error';
      url: '/404' | '/no-month' | '/unavailable' | `/unavailable?rows=${number}`;
      status: number;
      headers?: HeaderFields;
    }>
  /** An error page that suggests others: unknown names with the same suggestions share it. */
  | Readonly<{
      kind: 'missing';
      status: 404 | 410;
      headers?: never;
      url: string;
      version: string;
      snapshot: EventsSnapshot;
    }>
  /** A page that differs for each member: never cached. */
  | Readonly<{ kind: 'private'; url: string; status: 200 | 503; session: Session }>
  | Readonly<{ kind: 'redirect'; response: Response }>;

export type PlannedPage = Readonly<{
  kind: 'page';
  url: string;
  /** Its canonical path and query, if that is another. */
  canonicalUrl?: string;
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
  members: Pick<Members, 'findSession' | 'security' | 'newKey' | 'formTargets'> | null;
  /** Null without a mail server. */
  mail: Pick<Mail, 'findConfirmation' | 'findSubscription'> | null;
}>;

/**
 * Plans a page: whether it exists, what it is rendered from, and how long that stays fresh.
 * @param page its canonical URL, and the variable part of its path.
 * @param headers of the request, which decide who sees a private page.
 */
export type PlanPage = (
  page: Readonly<{ url: string; name: string }>,
  parts: PageParts,
  headers: Headers,
) => PagePlan | Promise<PagePlan>;

/** Loads a text by the variable part of its path. @returns undefined if there is no such page */
export type LoadText = (name: string, site: Site) => TextPage | undefined;

export const modelsFreshMs = 60_000;
/** How many events a 404 suggests. */
export const nearestMax = 4;

export const notFound: PagePlan = { kind: 'error', url: '/404', status: 404 };
const noMonth: PagePlan = { kind: 'error', url: '/no-month', status: 404 };

export const planUnknown: PlanPage = () => notFound;

export const planList = planFromEvents(planSnapshot);

export const planMonth = planFromEvents((snapshot, events, page) =>
  findMonth(page.url, snapshot.day) === null ? noMonth : planSnapshot(snapshot, events, page),
);

export const planEvent = planFromEvents(async (snapshot, events, { name }) => {
  const event = findEvent(snapshot, name);
  if (event !== undefined) return planSnapshot(snapshot, events, { url: `/events/${event.slug}` });
  const former = await findFormerEvent(snapshot, name);
  if (former?.kind === 'renamed') {
    const toPath = (slug: string) => `/events/${slug}`;
    return { kind: 'redirect', response: redirectRenamed(former, { snapshot, events, toPath }) };
  }
  const isRemoved = former !== null;
  const ids = findNearestEvents(snapshot.events, name, nearestMax).map(({ id }) => id);
  return {
    kind: 'missing',
    status: isRemoved ? 410 : 404,
    url: [isRemoved ? '/removed' : '/missing', ...ids].join('/'),
    version: toContentKey(snapshot),
    snapshot,
  };
});

/** The page of a city, an organizer or a series. */
export function planGroup(kind: NameKind): PlanPage {
  return planFromEvents((snapshot, events, { name }) => {
    const group = findGroup(snapshot, kind, name);
    if (group !== undefined) return planSnapshot(snapshot, events, { url: toGroupPath(group) });
    const slugs = findNearestGroups(snapshot, kind, name).map(({ slug }) =>
      encodeURIComponent(slug),
    );
    const url = ['/missing-group', kind, ...slugs].join('/');
    return { kind: 'missing', status: 404, url, version: toContentKey(snapshot), snapshot };
  });
}

/** A page that shows nothing which changes. */
export const planFixed = ({ url }: Readonly<{ url: string }>): PlannedPage => ({
  kind: 'page',
  url,
  version: 'static',
  changedAtMs: processStartedAtMs,
  freshness: textFreshness,
  snapshot: null,
});

/** A page of text, if there is one with the name. */
export function planText(loadText: LoadText): PlanPage {
  return ({ url, name }, { site }) =>
    loadText(name, site) === undefined
      ? notFound
      : { ...planFixed({ url: `/text${url}` }), canonicalUrl: url };
}

export const planModels: PlanPage = async ({ url }, { models }) => {
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
};

export const planAccount: PlanPage = async ({ url }, { members }, headers) => {
  if (members === null) return notFound;
  const session = await readSession(members, headers);
  return planPrivate(session, url);
};

/** For members who are no admins there is no such page; visitors get the sign-in, which leads back. */
export const planAdmin: PlanPage = async ({ url }, { members }, headers) => {
  if (members === null) return notFound;
  const session = await readSession(members, headers);
  if (session === null || session === 'unreadable') {
    const [to = ''] = url.split('?');
    return planPrivate(session, `/account?${new URLSearchParams({ to })}`);
  }
  if (session.isAdmin) return planPrivate(session, url);
  members.security.adminRejected(session);
  return notFound;
};

// While sessions cannot be read, the page says so.
function planPrivate(session: Session, url: string): PagePlan {
  return { kind: 'private', url, status: session === 'unreadable' ? 503 : 200, session };
}

type PlanFromSnapshot = (
  snapshot: EventsSnapshot,
  events: EventsLoader,
  page: Readonly<{ url: string; name: string }>,
) => PagePlan | Promise<PagePlan>;

function planFromEvents(plan: PlanFromSnapshot): PlanPage {
  return async (page, { events }) => {
    let snapshot: EventsSnapshot;
    try {
      snapshot = await events.current();
    } catch (thrown) {
      const { status, code, headers } = toHttpError(thrown);
      // Rounded, since each URL is rendered once.
      const rows = Math.floor(events.rowsRead() / 1000) * 1000;
      return {
        kind: 'error',
        url: code === 'events_not_read_yet' ? `/unavailable?rows=${rows}` : '/unavailable',
        status,
        headers: Object.entries(headers),
      };
    }
    return plan(snapshot, events, page);
  };
}

function planSnapshot(
  snapshot: EventsSnapshot,
  events: EventsLoader,
  { url }: Readonly<{ url: string }>,
): PagePlan {
  return {
    kind: 'page',
    url,
    version: toContentKey(snapshot),
    changedAtMs: snapshot.changedAtMs,
    freshness: freshnessOfContent(snapshot, events),
    snapshot,
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
