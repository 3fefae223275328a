import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type HttpResponse, type RequestOptions, toHttpResponse } from './http-client.ts';
import { siteUrl } from './marquee-server.ts';

const app = join(import.meta.dirname, '../../app');

type Params = Readonly<Record<string, string | readonly string[]>>;
type Handler = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;
type Route = Readonly<{ file: string; pattern: RegExp; names: readonly string[] }>;

// Next's rule for two routes that match: the one with fewer parameters, catch-all routes last.
const routes: readonly Route[] = globSync('**/route.{ts,tsx}', { cwd: app })
  .map(toRoute)
  .toSorted((a, b) => weigh(a) - weigh(b));

/** Whether a `route.ts` of its own serves the path: pages and negotiated representations have none. */
export function hasRouteModule(path: string): boolean {
  return findRoute(toPathname(path)) !== null;
}

/** Calls the handler that a `route.ts` exports, without any server. */
export async function callRouteModule(
  path: string,
  { method = 'GET', headers = {} }: RequestOptions = {},
): Promise<HttpResponse> {
  const found = findRoute(toPathname(path));
  if (found === null) throw new Error(`No route.ts serves ${path}.`);
  const module: Record<string, Handler> = await import(pathToFileURL(join(app, found.file)).href);
  const handle = module[method];
  if (handle === undefined) throw new Error(`${found.file} exports no ${method}.`);
  const request = new Request(siteUrl + path, { method, headers: { ...headers } });
  const response = await handle(request, { params: Promise.resolve(found.params) });
  const body = Buffer.from(await response.arrayBuffer());
  return toHttpResponse(response.status, Object.fromEntries(response.headers), body);
}

function toPathname(path: string): string {
  return new URL(path, siteUrl).pathname;
}

function findRoute(pathname: string) {
  for (const { file, pattern, names } of routes) {
    const match = pattern.exec(pathname);
    if (match === null) continue;
    const values = match.slice(1);
    const params = names.flatMap((name, index) => {
      const value = values[index];
      if (value === undefined) return [];
      return [
        [name.replace('...', ''), name.startsWith('...') ? value.split('/') : value] as const,
      ];
    });
    return { file, params: Object.fromEntries(params) };
  }
  return null;
}

// app/api/v1/events/[idOrSlug]/route.ts → ^/api/v1/events/([^/]+)$; names of groups are no part of a URL.
function toRoute(file: string): Route {
  const segments = file.split('/').slice(0, -1);
  const names: string[] = [];
  const pattern = segments
    .filter((segment) => !segment.startsWith('('))
    .map((segment) => {
      const name = /^\[{1,2}(.+?)\]{1,2}$/.exec(segment)?.[1];
      if (name === undefined) return `/${segment.replaceAll('.', '\\.')}`;
      names.push(name);
      if (segment.startsWith('[[')) return '(?:/(.+))?';
      return name.startsWith('...') ? '/(.+)' : '/([^/]+)';
    })
    .join('');
  return { file, pattern: new RegExp(`^${pattern || '/'}$`), names };
}

function weigh({ names }: Route): number {
  return names.length + (names.some((name) => name.startsWith('...')) ? 100 : 0);
}
