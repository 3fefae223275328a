import { type RouteModule, routeTable } from '#lib/server/route-table.ts';
import { classifyUrl, type UrlClass } from '#lib/site/pages/classify-url.ts';
import type { RoutePath } from '#lib/site/pages/route-paths.ts';
import { type HttpResponse, type RequestOptions, toHttpResponse } from '../clients/http-client.ts';
import { siteUrl } from '../servers/marquee-server.ts';

/**
 * Calls the handler that a `route.ts` exports, without any server.
 * @throws Error for a URL that no route handler serves.
 */
export async function callRouteModule(
  path: string,
  { method = 'GET', headers = {} }: RequestOptions = {},
): Promise<HttpResponse> {
  const request = new Request(siteUrl + path, { method, headers: { ...headers } });
  const url = classifyUrl(new URL(request.url).pathname, request.headers.get('accept'));
  const [route, params] = toRoute(url, path);
  const module = (await routeTable[route]()) as RouteModule;
  const handle = module[method];
  if (handle === undefined) throw new Error(`The route of ${path} exports no ${method}.`);
  const response = await handle(request, { params: Promise.resolve(params) as Promise<never> });
  const body = Buffer.from(await response.arrayBuffer());
  return toHttpResponse(response.status, Object.fromEntries(response.headers), body);
}

function toRoute(url: UrlClass, path: string): [RoutePath, object] {
  if (url.kind === 'route') return [url.route, url.params];
  if (url.kind === 'markdown') return ['/markdown/[[...path]]', { path: url.segments }];
  if (url.kind === 'plain-text') return ['/plain-text/[[...path]]', { path: url.segments }];
  if (url.kind === 'calendar') return ['/calendar/[event]', { event: url.event }];
  throw new Error(`No route.ts serves ${path}.`);
}
