import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import {
  listDirectoryRepresentations,
  listEventRepresentations,
  type PageRepresentation,
} from '#lib/events/view/link-headers.ts';
import { toGroupPath } from '#lib/events/view/named-groups.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { docsPaths } from '#lib/representations/docs/page-rows.ts';
import { sitePages } from '#lib/representations/seo/site-pages.ts';
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
  findDocsMarkdown,
  findEventMarkdown,
  findGroupMarkdown,
  findMapMarkdown,
  findModelsMarkdown,
  findMonthMarkdown,
  findRecentMarkdown,
  findSavedMarkdown,
  findSubscribeMarkdown,
} from './markdown-page.ts';
import {
  planMailAgain,
  planMailConfirmation,
  planMailNotice,
  planMailSettings,
} from './plan-mail-page.ts';
import {
  type PlanPage,
  planAccount,
  planAdmin,
  planDocs,
  planEvent,
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
  /** Which query parameters it has; by default none. */
  toSearch?: ToCanonicalSearch;
  /** Whether it exists, what it is rendered from, and how long it stays fresh. */
  plan: PlanPage;
  /** It differs for each member: never cached, prefetched or prerendered. */
  isPrivate?: true;
  /** Its Markdown, if it has any. */
  findMarkdown?: FindMarkdown;
  /** The filters of a list, or the slug of an event, at the API. */
  json?: 'list' | 'event';
  /** Its representations; by default HTML and Markdown. */
  listRepresentations?: (site: Site, name: string) => PageRepresentation[];
}>;

export const pageTable: readonly PageRow[] = [
  {
    label: '/',
    toSearch: toCanonicalDirectorySearch,
    plan: planList,
    findMarkdown: findDirectoryMarkdown,
    json: 'list',
    listRepresentations: listDirectoryRepresentations,
  },
  {
    label: '/events/[slug]',
    plan: planEvent,
    findMarkdown: findEventMarkdown,
    json: 'event',
    listRepresentations: listEventRepresentations,
  },
  {
    label: '/calendar',
    toSearch: toCanonicalMonthSearch,
    plan: planMonth,
    findMarkdown: findMonthMarkdown,
  },
  {
    label: '/recent',
    plan: planList,
    findMarkdown: findRecentMarkdown,
  },
  {
    label: '/changes',
    plan: planList,
    findMarkdown: findChangesMarkdown,
  },
  {
    label: '/subscribe',
    toSearch: toCanonicalFilterSearch,
    plan: planList,
    findMarkdown: findSubscribeMarkdown,
  },
  {
    label: '/subscribe/mail/again',
    plan: planMailAgain,
    isPrivate: true,
  },
  {
    label: '/subscribe/mail/[notice]',
    plan: planMailNotice,
    isPrivate: true,
  },
  {
    label: '/subscribe/mail/confirm/[token]',
    plan: planMailConfirmation,
    isPrivate: true,
  },
  {
    label: '/subscribe/mail/settings/[token]',
    toSearch: toPrivateSearch,
    plan: planMailSettings,
    isPrivate: true,
  },
  {
    label: '/map',
    toSearch: toCanonicalMapSearch,
    plan: planList,
    findMarkdown: findMapMarkdown,
  },
  { label: '/in/[city]', plan: planGroup('city'), findMarkdown: findGroupMarkdown('city') },
  {
    label: '/by/[organizer]',
    plan: planGroup('organizer'),
    findMarkdown: findGroupMarkdown('organizer'),
  },
  {
    label: '/series/[series]',
    plan: planGroup('series'),
    findMarkdown: findGroupMarkdown('series'),
  },
  {
    label: '/docs/[[...page]]',
    plan: planDocs,
    findMarkdown: findDocsMarkdown,
  },
  {
    label: '/models',
    toSearch: toCanonicalModelSearch,
    plan: planModels,
    findMarkdown: findModelsMarkdown,
  },
  {
    label: '/saved',
    plan: planText,
    findMarkdown: findSavedMarkdown,
  },
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
      '/admin/deliveries',
      '/admin/events',
      '/admin/group',
      '/admin/groups',
      '/admin/keys',
      '/admin/log',
      '/admin/members',
      '/admin/members/[id]',
      '/admin/requests',
      '/admin/upstreams',
      '/admin/usage',
      '/admin/webhooks',
      '/admin/webhooks/[id]',
    ],
    toSearch: toPrivateSearch,
    plan: planAdmin,
    isPrivate: true,
  },
];

/** All other paths. */
export const unknownPage: PageRow = { label: 'unknown', plan: planUnknown };

const sitemapPaths = [
  ...sitePages.filter(({ linkedIn }) => linkedIn.includes('sitemap')).map(({ path }) => path),
  ...docsPaths,
];

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
