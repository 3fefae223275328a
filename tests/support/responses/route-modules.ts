import { createRoutes } from '#lib/server/load-routes.ts';
import { getServices } from '#lib/services.ts';
import { classifyUrl } from '#lib/site/pages/classify-url.ts';
import { respondToUrl } from '#lib/site/pages/respond-to-url.ts';
import { type HttpResponse, type RequestOptions, toHttpResponse } from '../clients/http-client.ts';
import { siteUrl } from '../servers/marquee-server.ts';

/**
 * Responds to any URL but that of a page as HTML or a file, without any server.
 * @throws Error for other URLs.
 */
export async function callRouteModule(
  path: string,
  { method = 'GET', headers = {} }: RequestOptions = {},
): Promise<HttpResponse> {
  const request = new Request(siteUrl + path, { method, headers: { ...headers } });
  const response = await respond(request);
  const body = Buffer.from(await response.arrayBuffer());
  return toHttpResponse(response.status, Object.fromEntries(response.headers), body);
}

const routes = createRoutes();

async function respond(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const url = classifyUrl(pathname, search, request.headers.get('accept'));
  if (url.kind === 'page' || url.kind === 'static') throw new Error(`No route serves ${pathname}.`);
  if (url.kind !== 'route') return respondToUrl(request, getServices(), url);
  const route = await routes.load(url.route);
  return route(request, { params: Promise.resolve(url.params) });
}
