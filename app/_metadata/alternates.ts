import type { Metadata } from 'next';
import { toMarkdownPath } from '#lib/http/negotiate.ts';

/**
 * Where else a page is to be had: its Markdown twin, and the feeds of all events.
 * @param others addresses that are not the usual ones.
 */
export function toAlternates(
  path: string,
  others: Readonly<{ markdown?: string; calendar?: string }>,
): NonNullable<Metadata['alternates']> {
  const { markdown = toMarkdownPath(path), calendar = '/api/v1/events/calendar.ics' } = others;
  return {
    canonical: path,
    types: {
      'text/markdown': markdown,
      'application/rss+xml': '/api/v1/events/rss',
      'application/feed+json': '/api/v1/events/feed.json',
      'text/calendar': calendar,
    },
  };
}
