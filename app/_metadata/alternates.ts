import type { Metadata } from 'next';
import { toMarkdownAddress } from '#lib/http/negotiate.ts';

/** Where else a page is to be had: its Markdown twin, and the feeds of all events. */
export function toAlternates(path: string): NonNullable<Metadata['alternates']> {
  return {
    canonical: path,
    types: {
      'text/markdown': toMarkdownAddress(path),
      'application/rss+xml': '/api/v1/events/rss',
      'application/feed+json': '/api/v1/events/feed.json',
      'text/calendar': '/api/v1/events/calendar.ics',
    },
  };
}
