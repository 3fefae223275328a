import { adminPages } from '#lib/accounts/admin/admin-pages.ts';
import type { NameKind } from '#lib/events/source/name-index.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import {
  listDirectoryRepresentations,
  listEventRepresentations,
  type PageRepresentation,
} from '#lib/events/view/link-headers.ts';
import { toGroupPath } from '#lib/events/view/named-groups.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { docsPaths } from '#lib/representations/docs/page-rows.ts';
import { loadDocsPage, loadTextPage } from '#lib/representations/docs/pages.ts';
import {
  type ToCanonicalSearch,
  toCanonicalDirectorySearch,
  toCanonicalFilterSearch,
  toCanonicalMapSearch,
  toCanonicalModelSearch,
  toCanonicalMonthSearch,
  toPrivateSearch,
} from './canonical-search.ts';
import {
  type FindMarkdown,
  findChangesMarkdown,
  findDirectoryMarkdown,
  findEventMarkdown,
  findGroupMarkdown,
  findMapMarkdown,
  findModelsMarkdown,
  findMonthMarkdown,
  findRecentMarkdown,
  findSubscribeMarkdown,
  findTextMarkdown,
} from './markdown-page.ts';
import {
  planMailAgain,
  planMailConfirmation,
  planMailNotice,
  planMailSettings,
} from './plan-mail-page.ts';
import {
  type LoadText,
  type PlanPage,
  planAccount,
  planAdmin,
  planEvent,
  planFixed,
  planGroup,
  planList,
  planModels,
  planMonth,
  planText,
  planUnknown,
} from './plan-page.ts';

/** Everything that differs between pages, but for their content in `app/`. */
export type PageRow = Readonly<{
  /** Its name in metrics: the path of its directory in `app/`, or of the first of several. */
  label: string;
  /** Further directories with the same properties. */
  others?: readonly string[];
  /** How others link to it, if its path is fixed. */
  link?: PageLink;
  /** What the variable part of its path names: a 404 suggests others. */
  names?: 'event' | 'page' | NameKind;
  /** Which query parameters it has; by default none. */
  toSearch?: ToCanonicalSearch;
  /** Whether it exists, what it is rendered from, and how long it stays fresh. */
  plan: PlanPage;
  /** It differs for each member: never cached, prefetched or prerendered. */
  isPrivate?: true;
  /** It has “Near me”. */
  asksPosition?: true;
  /** Its text, which `app/(internal)/text` shows, unless it has another plan. */
  loadText?: LoadText;
  /** Its Markdown, if it has any. */
  findMarkdown?: FindMarkdown;
  /** The same at the API: a list with its filters, or an event. */
  hasJson?: true;
  /** Its representations; by default HTML and Markdown. */
  listRepresentations?: (site: Site, name: string) => PageRepresentation[];
}>;

/** What `/llms.txt` says of a page, its heading and its metadata, and where else it is linked. */
type PageLink = Readonly<{
  title: string;
  /** One sentence. */
  description: string;
  in: readonly ('header' | 'footer' | 'sitemap')[];
}>;

/** In the order of the navigation. */
export const pageTable: readonly PageRow[] = [
  {
    label: '/',
    link: {
      title: 'Events',
      description:
        'Hackathons, jams and build nights for people who make things: what is on now, what is coming up.',
      in: ['header', 'sitemap'],
    },
    toSearch: toCanonicalDirectorySearch,
    plan: planList,
    asksPosition: true,
    findMarkdown: findDirectoryMarkdown,
    hasJson: true,
    listRepresentations: listDirectoryRepresentations,
  },
  {
    label: '/events/[slug]',
    names: 'event',
    plan: planEvent,
    findMarkdown: findEventMarkdown,
    hasJson: true,
    listRepresentations: listEventRepresentations,
  },
  {
    label: '/subscribe',
    link: {
      title: 'Subscribe',
      description: 'New events in your calendar or feed reader, and on your own site.',
      in: ['footer', 'sitemap'],
    },
    toSearch: toCanonicalFilterSearch,
    plan: planList,
    findMarkdown: findSubscribeMarkdown,
  },
  { label: '/subscribe/mail/again', plan: planMailAgain, isPrivate: true },
  { label: '/subscribe/mail/[notice]', plan: planMailNotice, isPrivate: true },
  { label: '/subscribe/mail/confirm/[token]', plan: planMailConfirmation, isPrivate: true },
  {
    label: '/subscribe/mail/settings/[token]',
    toSearch: toPrivateSearch,
    plan: planMailSettings,
    isPrivate: true,
  },
  {
    label: '/calendar',
    link: {
      title: 'Calendar',
      description: 'What is on this month, day by day; add ?month=2026-12 for another one.',
      in: ['header', 'footer', 'sitemap'],
    },
    toSearch: toCanonicalMonthSearch,
    plan: planMonth,
    findMarkdown: findMonthMarkdown,
  },
  {
    label: '/recent',
    link: {
      title: 'Recently announced',
      description: 'Hackathons, jams and build nights that were announced in the last thirty days.',
      in: ['footer', 'sitemap'],
    },
    plan: planList,
    findMarkdown: findRecentMarkdown,
  },
  {
    label: '/changes',
    link: {
      title: 'What has changed',
      description:
        'Events that were announced, moved, cancelled or removed in the last thirty days.',
      in: ['footer', 'sitemap'],
    },
    plan: planList,
    findMarkdown: findChangesMarkdown,
  },
  {
    label: '/map',
    link: {
      title: 'Map',
      description: 'All cities with events, each with a page of its own.',
      in: ['header', 'footer', 'sitemap'],
    },
    toSearch: toCanonicalMapSearch,
    plan: planList,
    asksPosition: true,
    findMarkdown: findMapMarkdown,
  },
  { label: '/in/[city]', ...groupPage('city') },
  { label: '/by/[organizer]', ...groupPage('organizer') },
  { label: '/series/[series]', ...groupPage('series') },
  {
    ...textRow('/saved', {
      title: 'My list',
      description:
        'The events that you saved in this browser, and how a program follows events by their ids.',
      in: [],
    }),
    plan: planFixed,
  },
  {
    label: '/models',
    link: {
      title: 'AI models',
      description:
        'The language and embedding models of the AI proxy, and a playground to try them.',
      in: ['header', 'sitemap'],
    },
    toSearch: toCanonicalModelSearch,
    plan: planModels,
    findMarkdown: findModelsMarkdown,
  },
  { label: '/docs/[[...page]]', names: 'page', ...textPage(loadDocsPage) },
  {
    label: '/account',
    others: ['/account/playground', '/account/requests', '/account/usage'],
    toSearch: toPrivateSearch,
    plan: planAccount,
    isPrivate: true,
  },
  {
    label: '/admin',
    others: [
      ...adminPages.slice(1).map(([path]) => path),
      '/admin/group',
      '/admin/members/[id]',
      '/admin/webhooks/[id]',
    ],
    toSearch: toPrivateSearch,
    plan: planAdmin,
    isPrivate: true,
  },
];

/** The page of a city, an organizer or a series. */
function groupPage(kind: NameKind) {
  return { names: kind, plan: planGroup(kind), findMarkdown: findGroupMarkdown(kind) };
}

/** A page of text: the file with its path in `lib/representations/texts/`. */
function textRow(path: string, link: PageLink): PageRow {
  const { title, description } = link;
  const loadText: LoadText = (_, site) => loadTextPage({ path, title, description }, site);
  return { label: path, link, ...textPage(loadText) };
}

function textPage(loadText: LoadText) {
  return { loadText, plan: planText(loadText), findMarkdown: findTextMarkdown(loadText) };
}

/** All other paths. */
export const unknownPage: PageRow = { label: 'unknown', names: 'page', plan: planUnknown };

/** A page that others link to. */
export type LinkedPage = Omit<PageLink, 'in'> & Readonly<{ path: string }>;

/** The pages that are linked in a place, in the order of the navigation; without one, all that others link to. */
export function listLinkedPages(place?: PageLink['in'][number]): LinkedPage[] {
  return pageTable.flatMap(({ label: path, link }) => {
    if (link === undefined) return [];
    const { in: places, ...others } = link;
    return place === undefined || places.includes(place) ? [{ path, ...others }] : [];
  });
}

const linkedPages = new Map(listLinkedPages().map((page) => [page.path, page]));

/** The page with this path that others link to. @throws Error if there is none. */
export function getLinkedPage(path: string): LinkedPage {
  const page = linkedPages.get(path);
  if (page === undefined) throw new Error(`The table of pages has no link for ${path}.`);
  return page;
}

const sitemapPaths = [...listLinkedPages('sitemap').map(({ path }) => path), ...docsPaths];

/** All pages except those of events. */
export function listSitemapPaths({ names }: EventsSnapshot): string[] {
  return [...sitemapPaths, ...names.groups.map(toGroupPath)];
}

function isFixedPrivate({ isPrivate, label }: PageRow): boolean {
  return isPrivate === true && !label.includes('[');
}

/** Paths that are private or not pages: never prefetched or prerendered. */
const unspeculated = [
  '/api/*',
  '/proxy/*',
  '/mcp',
  '/.well-known/*',
  '/media/*',
  ...pageTable.filter(isFixedPrivate).map(({ label }) => `${label}*`),
  '/sign-in*',
  '/subscribe/mail/*',
  '/docs/try*',
  '/connect/*',
  '/embed*',
  '/oembed*',
  '/*.md',
  '/*.ics',
  '/*.txt',
  '/*.xml',
  '/*.json',
];

/**
 * Speculation Rules (https://wicg.github.io/nav-speculation/speculation-rules.html): a page is prerendered when
 * the pointer rests on a link to it. Links elsewhere are never matched.
 */
export function toSpeculationRules({ savesData }: Readonly<{ savesData: boolean }>): string {
  const excluded = unspeculated.map((path) => ({ not: { href_matches: path } }));
  const rule = { where: { and: [{ href_matches: '/*' }, ...excluded] }, eagerness: 'moderate' };
  return JSON.stringify(savesData ? {} : { prefetch: [rule], prerender: [rule] });
}
