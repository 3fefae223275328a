import { formatListQuery, readFilters } from '#lib/events/query/events-query.ts';
import { corsHeaders } from '#lib/http/cors.ts';
import { createResponse } from '#lib/http/response.ts';
import type { PageWithJson } from './classify-url.ts';

/**
 * Redirects a client that prefers JSON from a page to the API (RFC 9110 §15.4.4). Filters are carried over;
 * the API has no pages.
 * @param canonicalUrl of the page.
 */
export function redirectToJson(page: PageWithJson, canonicalUrl: string): Response {
  return createResponse({
    status: 303,
    headers: [
      ['Location', toJsonPath(page, canonicalUrl)],
      ['Cache-Control', 'no-store'],
      ['Vary', 'Accept'],
      ...corsHeaders,
    ],
    body: '',
  });
}

function toJsonPath(page: PageWithJson, canonicalUrl: string): string {
  if (page.kind === 'event') return `/api/v1/events/${encodeURIComponent(page.slug)}`;
  const [, query = ''] = canonicalUrl.split('?');
  return `/api/v1/events${formatListQuery(readFilters(new URLSearchParams(query)))}`;
}
