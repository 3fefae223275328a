import { addRoute, createRouter, findRoute } from 'rou3';
import { isDecodable } from '#lib/http/path.ts';
import { acceptQuality, namesMediaType } from '#lib/http/representations/accept.ts';
import { type PageRow, pageTable, unknownPage } from './page-table.ts';
import { type RoutePath, routePaths } from './routes.ts';

/** A page, as its URL names it. */
export type Page = Readonly<{
  row: PageRow;
  /** Not decoded, and without the extension of its Markdown. */
  path: string;
  /** The variable part of its path, decoded: the slug of an event, the name of a page of the documentation. */
  name: string;
  /** The query as it was sent, with its `?`; empty without one. */
  search: string;
  /** Its canonical path and query, by which it is cached. */
  url: string;
}>;

/** What a URL is. It is decided once, and carried along. */
export type ClassifiedUrl = Readonly<{
  /** Its name in metrics: URLs are too many. */
  label: string;
}> &
  (
    | Readonly<{ kind: 'route'; route: RoutePath; params: object }>
    | Readonly<{ kind: 'page'; page: Page }>
    | Readonly<{ kind: Exclude<PageKind, 'page'>; page: Page }>
    | Readonly<{ kind: 'calendar'; slug: string }>
    | Readonly<{ kind: 'static'; path: string }>
    | Readonly<{ kind: 'malformed' | 'too-long' }>
  );

type PageKind = 'page' | 'markdown' | 'plain-text' | 'json' | 'not-acceptable';

/** Longest path of a page: a longer one would not fit into headers, and no slug is that long. */
export const pagePathLengthMax = 1024;

const router = createRouter<RoutePath | PageRow>();
for (const path of routePaths) addRoute(router, '', toPattern(path), path);
for (const row of pageTable) {
  for (const path of [row.label, ...(row.others ?? [])]) addRoute(router, '', toPattern(path), row);
}

/** Classifies a canonical path and its query. @param accept the Accept header, by which pages are negotiated. */
export function classifyUrl(path: string, search: string, accept: string | null): ClassifiedUrl {
  const match = findRoute(router, '', path);
  if (typeof match?.data === 'string') {
    // Route handlers do not use what a catch-all matched.
    const params = match.data.includes('[...') ? {} : (match.params ?? {});
    return { kind: 'route', label: match.data, route: match.data, params };
  }
  if (isFile(path)) return { kind: 'static', label: 'static', path };
  // No name has a NUL, and PostgreSQL has no text with one.
  if (!isDecodable(path) || path.includes('%00')) return { kind: 'malformed', label: 'other' };
  const [, slug] = /^\/events\/([^/]+)\.ics$/.exec(path) ?? [];
  if (slug !== undefined) {
    return { kind: 'calendar', label: 'calendar', slug: decodeURIComponent(slug) };
  }
  if (path.length > pagePathLengthMax) return { kind: 'too-long', label: 'other' };
  const page = findPage(fromMarkdownPath(path), search);
  const kind = path.endsWith('.md') ? 'markdown' : negotiate(page.row, accept);
  return { kind, label: toLabel(kind, page.row), page };
}

/** The page at a path that nothing else has. */
export function toUnknownPage(path: string): Page {
  return { row: unknownPage, path, name: '', search: '', url: path };
}

/** The page at a canonical path, which may be one that no other has. */
export function findPage(path: string, search: string): Page {
  const match = findRoute(router, '', path);
  if (match === undefined || typeof match.data === 'string') return toUnknownPage(path);
  const { data: row, params = {} } = match;
  const [name = ''] = Object.values(params);
  const canonicalSearch = search === '' ? '' : (row.toSearch?.(search) ?? '');
  return { row, path, name: decodeURIComponent(name), search, url: path + canonicalSearch };
}

// As Next writes the path of a directory → as rou3 does.
function toPattern(path: string): string {
  return path.replace(/\[\[.+\]\]|\[\.{3}.+\]/, '**').replace(/\[(\w+)\]/, ':$1');
}

// `/docs/.md` is not a page: no page's path ends in a slash.
function fromMarkdownPath(path: string): string {
  if (!path.endsWith('.md')) return path;
  const page = path.slice(0, -'.md'.length);
  if (page.endsWith('/')) return path;
  // `/index.html.md` is the name that llmstxt.org gives it.
  return /^\/index(?:\.html)?$/.test(page) ? '/' : page;
}

// A file of the build or of public/: only one representation.
function isFile(path: string): boolean {
  return path.startsWith('/_next/') || /\.(?!md$|ics$)[a-z0-9]+$/i.test(path);
}

function toLabel(kind: PageKind, { label }: PageRow): string {
  if (kind === 'not-acceptable') return 'other';
  return kind === 'page' || kind === 'json' ? label : kind;
}

/**
 * The representation with the highest quality. A wildcard gets HTML, as browsers send one; the others must be
 * named. Of equal ones Markdown is first, then HTML, since few clients name what they do not want.
 */
function negotiate(row: PageRow, accept: string | null): PageKind {
  const qualityIfNamed = (type: string) =>
    namesMediaType(accept, type) ? acceptQuality(accept, type) : 0;
  const html = acceptQuality(accept, 'text/html');
  const markdown = acceptQuality(accept, 'text/markdown');
  const json = row.hasJson ? qualityIfNamed('application/json') : 0;
  const text = qualityIfNamed('text/plain');
  const best = Math.max(html, markdown, json, text);
  if (best === 0) return 'not-acceptable';
  const isMarkdown = html < best || namesMediaType(accept, 'text/markdown');
  if (markdown === best && isMarkdown) return 'markdown';
  if (html === best) return 'page';
  return json === best ? 'json' : 'plain-text';
}
