import type { Metadata } from 'next';
import { toMarkdownAddress } from '#lib/http/negotiate.ts';

/**
 * Where else a page is to be had: its Markdown twin, and the feeds of all events.
 * @param calendar where a calendar with what the page is about is; that of all events where none is given.
 */
export function toAlternates(
  path: string,
  calendar = '/api/v1/events/calendar.ics',
): NonNullable<Metadata['alternates']> {
  return {
    canonical: path,
    types: {
      'text/markdown': toMarkdownAddress(path),
      'application/rss+xml': '/api/v1/events/rss',
      'application/feed+json': '/api/v1/events/feed.json',
      'text/calendar': calendar,
    },
  };
}
