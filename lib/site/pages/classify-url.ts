import { addRoute, createRouter, findRoute } from 'rou3';
import { isDecodable } from '#lib/http/path.ts';
import { acceptQuality, namesMediaType } from '#lib/http/representations/accept.ts';
import { routePaths } from './route-paths.ts';

export type Page =
  | Readonly<{ kind: 'directory' }>
  | Readonly<{ kind: 'event'; slug: string }>
  | Readonly<{ kind: 'docs'; name: string }>
  | Readonly<{ kind: 'models' }>
  | Readonly<{ kind: 'month' }>
  | Readonly<{ kind: 'subscribe' }>
  | Readonly<{ kind: 'saved' }>
  | Readonly<{ kind: 'account'; part: 'overview' | 'playground' }>
  | Readonly<{ kind: 'admin' }>
  | Readonly<{ kind: 'unknown' }>;

/** A page whose content the API has as JSON. */
export type PageWithJson = Extract<Page, { kind: 'directory' | 'event' }>;

/** What a URL is, by its path and Accept header. */
export type UrlClass =
  | Readonly<{ kind: 'route'; route: (typeof routePaths)[number]; params: RouteParams }>
  | Readonly<{ kind: 'page'; page: Page }>
  | Readonly<{ kind: 'markdown' | 'plain-text'; page: Page; segments: readonly string[] }>
  | Readonly<{ kind: 'json'; page: PageWithJson }>
  | Readonly<{ kind: 'calendar'; event: string }>
  | Readonly<{ kind: 'static' | 'not-acceptable' | 'malformed' }>;

/** Segments of the URL, not decoded. */
export type RouteParams = Readonly<Record<string, string | readonly string[]>>;

const router = createRouter<(typeof routePaths)[number]>();
for (const path of routePaths) {
  addRoute(
    router,
    '',
    path.replace(/\[\[.+\]\]|\[\.{3}.+\]/, '**').replace(/\[(\w+)\]/, ':$1'),
    path,
  );
}

/**
 * Classifies a canonical path. The request handler, `proxy.ts` and the tests share it.
 * @param accept the Accept header, by which pages are negotiated.
 */
export function classifyUrl(path: string, accept: string | null): UrlClass {
  const match = findRoute(router, '', path);
  if (match !== undefined) {
    // Route handlers do not use what a catch-all matched.
    const params = match.data.includes('[...') ? {} : (match.params ?? {});
    return { kind: 'route', route: match.data, params };
  }
  if (isFile(path)) return { kind: 'static' };
  if (!isDecodable(path)) return { kind: 'malformed' };
  if (path.endsWith('.md')) return toMarkdown(fromMarkdownPath(path));
  const [, event] = /^\/events\/([^/]+)\.ics$/.exec(path) ?? [];
  if (event !== undefined) return { kind: 'calendar', event };
  return negotiatePage(path, accept);
}

const singlePages: ReadonlyMap<string, 'models' | 'month' | 'subscribe' | 'saved'> = new Map([
  ['models', 'models'],
  ['calendar', 'month'],
  ['subscribe', 'subscribe'],
  ['saved', 'saved'],
]);

/** The page at a canonical path. */
export function parsePagePath(path: string): Page {
  const [area, name, ...rest] = toSegments(path).map(decodeURIComponent);
  if (area === undefined) return { kind: 'directory' };
  const kind = name === undefined ? singlePages.get(area) : undefined;
  if (kind !== undefined) return { kind };
  if (area === 'account' && rest.length === 0) {
    if (name === undefined) return { kind: 'account', part: 'overview' };
    if (name === 'playground') return { kind: 'account', part: 'playground' };
  }
  if (area === 'admin' && isAdminPage(name, rest)) return { kind: 'admin' };
  if (area === 'docs') {
    return { kind: 'docs', name: [name ?? [], ...rest].flat().join('/') };
  }
  const isEvent = area === 'events' && name !== undefined && rest.length === 0;
  return isEvent ? { kind: 'event', slug: name } : { kind: 'unknown' };
}

const adminPages = ['groups', 'keys', 'usage', 'upstreams', 'events', 'log'];

function isAdminPage(name: string | undefined, rest: readonly string[]): boolean {
  if (name === 'members') return rest.length === 1;
  return rest.length === 0 && (name === undefined || adminPages.includes(name));
}

/** The public path of a page's Markdown. */
export function toMarkdownPath(path: string): string {
  return path === '/' ? '/index.md' : `${path}.md`;
}

// `/docs/.md` is not a page: no page's path ends in a slash.
function fromMarkdownPath(path: string): string {
  const page = path.slice(0, -'.md'.length);
  if (page.endsWith('/')) return path;
  return page === '/index' ? '/' : page;
}

function toMarkdown(path: string, kind: 'markdown' | 'plain-text' = 'markdown'): UrlClass {
  return { kind, page: parsePagePath(path), segments: toSegments(path) };
}

// A file of the build or of public/: only one representation.
function isFile(path: string): boolean {
  return path.startsWith('/_next/') || /\.(?!md$|ics$)[a-z0-9]+$/i.test(path);
}

/**
 * The representation with the highest quality. A wildcard gets HTML, as browsers send one; the others must be
 * named. Of equal ones Markdown is first, then HTML, since few clients name what they do not want.
 */
function negotiatePage(path: string, accept: string | null): UrlClass {
  const page = parsePagePath(path);
  const qualityIfNamed = (type: string) =>
    namesMediaType(accept, type) ? acceptQuality(accept, type) : 0;
  const html = acceptQuality(accept, 'text/html');
  const markdown = acceptQuality(accept, 'text/markdown');
  const json = hasJson(page) ? qualityIfNamed('application/json') : 0;
  const text = qualityIfNamed('text/plain');
  const best = Math.max(html, markdown, json, text);
  if (best === 0) return { kind: 'not-acceptable' };
  const isMarkdown = html < best || namesMediaType(accept, 'text/markdown');
  if (markdown === best && isMarkdown) return toMarkdown(path);
  if (html === best) return { kind: 'page', page };
  return json === best && hasJson(page) ? { kind: 'json', page } : toMarkdown(path, 'plain-text');
}

function hasJson(page: Page): page is PageWithJson {
  return page.kind === 'directory' || page.kind === 'event';
}

function toSegments(path: string): string[] {
  return path.split('/').filter(Boolean);
}
