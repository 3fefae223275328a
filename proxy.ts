import { randomBytes, randomUUID } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { respondWithApiError } from '#lib/http/errors/api-error.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { isDecodable, toCanonicalPath } from '#lib/http/path.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import { getServices } from '#lib/services.ts';
import { toCanonicalUrl } from '#lib/site/pages/canonical-url.ts';
import { classifyUrl, type Page } from '#lib/site/pages/classify-url.ts';
import { toPageHeaders } from '#lib/site/pages/page-headers.ts';
import { type PagePlan, planPage } from '#lib/site/pages/plan-page.ts';
import { redirectToJson } from '#lib/site/pages/redirect-to-json.ts';
import { respondNotAcceptable } from '#lib/site/pages/respond-not-acceptable.ts';

/**
 * Marks requests that were rewritten: with `--hostname 127.0.0.1` Next sends them to itself once more, since
 * it takes that for another host than `localhost`.
 */
const rewrittenHeader = 'x-marquee-rewritten';
const rewrittenToken = randomUUID();

/**
 * Runs where Next serves alone (`next start`, a serverless host), and makes the same decisions about pages
 * as the request handler of `npm start`.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const isRewritten = request.headers.get(rewrittenHeader) === rewrittenToken;
  // Inside a render of the request handler there is nothing left to decide either.
  if (isRewritten || getServices().rendering.getStore() !== undefined) return NextResponse.next();
  const { pathname, search } = request.nextUrl;
  const path = toCanonicalPath(pathname);
  const accept = request.headers.get('accept');
  const url = classifyUrl(path, accept);
  switch (url.kind) {
    case 'static':
      return NextResponse.next({ request: { headers: withoutNonce(request.headers) } });
    case 'route':
      return isDecodable(path) ? NextResponse.next() : respondWithApiError(malformed, siteUrl());
    case 'markdown':
    case 'plain-text':
      return rewrite(request, `/${[url.kind, ...url.segments].join('/')}${search}`);
    case 'calendar':
      return rewrite(request, `/calendar/${url.event}${search}`);
    case 'malformed':
      return finish(new Response(`${malformed.message}\n`, { status: 400 }));
    case 'not-acceptable':
      return finish(respondNotAcceptable({ path, accept, site: getServices().site }));
    case 'json':
      return toAbsolute(
        finish(redirectToJson(url.page, toCanonicalUrl(url.page, path, search))),
        request.url,
      );
    case 'page':
      return respondWithPage(request, url.page, toCanonicalUrl(url.page, path, search));
  }
}

const malformed = createApiError('bad_request', {
  message: 'The URL contains malformed percent-encoding.',
  hint: 'Encode it as UTF-8, and write a percent sign as `%25`.',
});

const siteUrl = () => getServices().site.url;

async function respondWithPage(
  request: NextRequest,
  page: Page,
  canonicalUrl: string,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const status = request.method === 'OPTIONS' ? 204 : 405;
    return finish(new Response(null, { status, headers: { Allow: 'GET, HEAD, OPTIONS' } }));
  }
  const services = getServices();
  const plan = await planPage(services, page, canonicalUrl, request.headers);
  if (plan.kind === 'redirect') return toAbsolute(plan.response, request.url);
  const nonce = randomBytes(16).toString('hex');
  const response = rewrite(request, plan.url, {
    status: toStatus(plan),
    headers: [
      ['x-nonce', nonce],
      ['content-security-policy', `script-src 'nonce-${nonce}'`],
    ],
  });
  // Reload in development needs `eval`.
  if (process.env.NODE_ENV === 'development') return response;
  const { site, members } = services;
  const url = plan.kind === 'page' ? plan.url : null;
  const scriptSources = [`'nonce-${nonce}'`];
  const formTargets = plan.kind === 'private' ? await members?.formTargets() : undefined;
  response.headers.append('Vary', 'Accept');
  for (const [name, value] of toPageHeaders({ site, url, scriptSources, formTargets })) {
    response.headers.set(name, value);
  }
  const cleared = members?.newKey.clear(request.headers.get('cookie')) ?? null;
  if (plan.kind === 'private' && cleared !== null) response.headers.set('Set-Cookie', cleared);
  if (response.status === 503) response.headers.set('Retry-After', '2');
  return response;
}

function toStatus(plan: Exclude<PagePlan, { kind: 'redirect' }>): number {
  if (plan.kind === 'page') return 200;
  return plan.kind === 'missing' ? 404 : plan.status;
}

function withoutNonce(given: Headers): Headers {
  const headers = new Headers(given);
  headers.delete('x-nonce');
  return headers;
}

/** Adds what no route handler or page adds. */
function finish(response: Response): Response {
  for (const [name, value] of commonSecurityHeaders) response.headers.set(name, value);
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

type RewriteOptions = Readonly<{
  status?: number;
  /** Further headers of the request. */
  headers?: readonly (readonly [name: string, value: string])[];
}>;

function rewrite(
  request: NextRequest,
  path: string,
  { status = 200, headers = [] }: RewriteOptions = {},
): NextResponse {
  const rewritten = new Headers(request.headers);
  rewritten.set(rewrittenHeader, rewrittenToken);
  for (const [name, value] of headers) rewritten.set(name, value);
  return NextResponse.rewrite(new URL(path, request.url), {
    request: { headers: rewritten },
    status,
  });
}

// Next requires an absolute URL in Location, and makes it relative again.
function toAbsolute({ status, headers }: Response, base: string): Response {
  const absolute = new Headers(headers);
  absolute.set('location', new URL(headers.get('location') ?? '/', base).href);
  return new Response(null, { status, headers: absolute });
}
