import { randomBytes, randomUUID } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { respondWithApiError } from '#lib/http/errors/api-error.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { isDecodable, toCanonicalPath } from '#lib/http/path.ts';
import { setHeaders } from '#lib/http/response.ts';
import { commonSecurityHeaders, toTransportHeaders } from '#lib/http/security-headers.ts';
import { getServices } from '#lib/services.ts';
import { classifyUrl, type Page } from '#lib/site/pages/classify-url.ts';
import { decidePage } from '#lib/site/pages/decide-page.ts';
import { toPageHeaders } from '#lib/site/pages/page-headers.ts';
import { respondToUrl } from '#lib/site/pages/respond-to-url.ts';

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
  const served = await respondToUrl(request, services, url);
  if (served instanceof Response) return finish(served, request.url);
  switch (served.kind) {
    case 'page':
      return respondWithPage(request, served.page);
    case 'static': {
      const headers = withoutNonce(request.headers);
      return finish(NextResponse.next({ request: { headers } }), request.url);
    }
    case 'route': {
      const response = isDecodable(path)
        ? NextResponse.next()
        : respondWithApiError(malformed, services.site.url);
      setHeaders(response, toTransportHeaders(services.site));
      return response;
    }
  }
}

const malformed = createApiError('bad_request', {
  message: 'The URL contains malformed percent-encoding.',
  hint: 'Encode it as UTF-8, and write a percent sign as `%25`.',
});

async function respondWithPage(request: NextRequest, page: Page): Promise<Response> {
  const decided = await decidePage(request, page, getServices());
  if (decided instanceof Response) return finish(decided, request.url);
  const nonce = randomBytes(16).toString('hex');
  const response = rewrite(request, decided.plan.url, {
    status: decided.status,
    headers: [
      ['x-nonce', nonce],
      ['content-security-policy', `script-src 'nonce-${nonce}'`],
    ],
  });
  // Reload in development needs `eval`.
  if (process.env.NODE_ENV === 'development') return response;
  response.headers.append('Vary', 'Accept');
  const pageHeaders = toPageHeaders({ ...decided.page, scriptSources: [`'nonce-${nonce}'`] });
  setHeaders(response, [...pageHeaders, ...decided.headers]);
  return response;
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
