import { type NextRequest, NextResponse } from 'next/server';
import { choosePage, toFormRoute } from '#lib/http/negotiate.ts';

/**
 * Where Next runs without the front (`next start`, a serverless host), forms are chosen here, by the
 * same rule. The matcher lets in requests that could want it, and no others: each one costs.
 */
export function proxy(request: NextRequest): NextResponse {
  const { pathname } = request.nextUrl;
  const route = toFormRoute(choosePage(pathname, request.headers.get('accept')));
  if (route === null) return NextResponse.next();
  const { search } = request.nextUrl;
  return NextResponse.rewrite(new URL(route + search, request.url));
}

export const config = {
  matcher: [
    '/(.*\\.md)',
    '/events/(.*\\.ics)',
    {
      source: '/((?!api/|_next/|proxy/|media/|markdown(?:/|$)|calendar(?:/|$)|.*\\.).*)',
      has: [{ type: 'header', key: 'accept', value: '.*text/(?:markdown|\\*).*' }],
    },
  ],
};
