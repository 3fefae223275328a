import { type NextRequest, NextResponse } from 'next/server';
import { choosePage, toMarkdownRoute } from '#lib/http/negotiate.ts';

/**
 * Where Next runs without the front (`next start`, a serverless host), Markdown is chosen here, by the
 * same rule. The matcher lets in requests that could want it, and no others: each one costs.
 */
export function proxy(request: NextRequest): NextResponse {
  const { pathname } = request.nextUrl;
  const choice = choosePage(pathname, request.headers.get('accept'));
  if (choice.form !== 'markdown') return NextResponse.next();
  const { search } = request.nextUrl;
  return NextResponse.rewrite(new URL(toMarkdownRoute(choice.path) + search, request.url));
}

export const config = {
  matcher: [
    '/(.*\\.md)',
    {
      source: '/((?!api/|_next/|proxy/|media/|markdown(?:/|$)|.*\\.).*)',
      has: [{ type: 'header', key: 'accept', value: '.*text/(?:markdown|\\*).*' }],
    },
  ],
};
