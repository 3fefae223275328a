import { randomBytes, randomUUID } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { newKeyStatus } from '#lib/accounts/sign-in/cookies.ts';
import { respondWithApiError } from '#lib/http/errors/api-error.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { isDecodable, toCanonicalPath } from '#lib/http/path.ts';
import { setHeaders } from '#lib/http/response.ts';
import { commonSecurityHeaders, toTransportHeaders } from '#lib/http/security-headers.ts';
import { getServices } from '#lib/services.ts';
import { classifyUrl, type Page } from '#lib/site/pages/classify-url.ts';
import { toPageHeaders } from '#lib/site/pages/page-headers.ts';
import type { PagePlan } from '#lib/site/pages/plan-page.ts';
import {
  fileMethods,
  pageMethods,
  rejectMethod,
  respondToUrl,
} from '#lib/site/pages/respond-to-url.ts';

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
  const services = getServices();
  const isRewritten = request.headers.get(rewrittenHeader) === rewrittenToken;
  // Inside a render of the request handler there is nothing left to decide either.
  if (isRewritten || services.rendering.getStore() !== undefined) return NextResponse.next();
  const { pathname, search } = request.nextUrl;
  const path = toCanonicalPath(pathname);
  const url = classifyUrl(path, search, request.headers.get('accept'));
  if (url.kind === 'page') return respondWithPage(request, url.page);
  if (url.kind === 'static') {
    const headers = withoutNonce(request.headers);
    const response =
      rejectMethod(request, fileMethods) ?? NextResponse.next({ request: { headers } });
    return finish(response, request.url);
  }
  if (url.kind === 'route') {
    const response = isDecodable(path)
      ? NextResponse.next()
      : respondWithApiError(malformed, services.site.url);
    setHeaders(response, toTransportHeaders(services.site));
    return response;
  }
  return finish(await respondToUrl(request, services, url), request.url);
}

const malformed = createApiError('bad_request', {
  message: 'The URL contains malformed percent-encoding.',
  hint: 'Encode it as UTF-8, and write a percent sign as `%25`.',
});

async function respondWithPage(request: NextRequest, page: Page): Promise<Response> {
  const rejected = rejectMethod(request, pageMethods);
  if (rejected !== null) return finish(rejected, request.url);
  const services = getServices();
  const plan = await page.row.plan(page, services, request.headers);
  if (plan.kind === 'redirect') return finish(plan.response, request.url);
  const nonce = randomBytes(16).toString('hex');
  const { site, members } = services;
  const cleared = members?.newKey.clear(request.headers.get('cookie')) ?? null;
  const showsNewKey = plan.kind === 'private' && plan.status === 200 && cleared !== null;
  const response = rewrite(request, plan.url, {
    status: showsNewKey ? newKeyStatus : toStatus(plan),
    headers: [
      ['x-nonce', nonce],
      ['content-security-policy', `script-src 'nonce-${nonce}'`],
    ],
  });
  // Reload in development needs `eval`.
  if (process.env.NODE_ENV === 'development') return response;
  const url = plan.kind === 'page' ? plan.url : null;
  const scriptSources = [`'nonce-${nonce}'`];
  const formTargets = plan.kind === 'private' ? await members?.formTargets() : undefined;
  response.headers.append('Vary', 'Accept');
  for (const [name, value] of toPageHeaders({ site, url, scriptSources, formTargets })) {
    response.headers.set(name, value);
  }
  if (plan.kind === 'private' && cleared !== null) response.headers.set('Set-Cookie', cleared);
  if (plan.kind === 'error') setHeaders(response, plan.headers ?? []);
  if (response.status === 503) response.headers.set('Retry-After', '2');
  return response;
}

function toStatus(plan: Exclude<PagePlan, { kind: 'redirect' }>): number {
  return plan.kind === 'page' ? 200 : plan.status;
}

function withoutNonce(original: Headers): Headers {
  const headers = new Headers(original);
  headers.delete('x-nonce');
  return headers;
}

/** Next requires an absolute URL in Location, and makes it relative again. */
function finish(response: Response, base: string): Response {
  const location = response.headers.get('location');
  setHeaders(response, [...commonSecurityHeaders, ...toTransportHeaders(getServices().site)]);
  if (location !== null) response.headers.set('Location', new URL(location, base).href);
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
