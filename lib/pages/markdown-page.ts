import { toDocsMarkdown } from '#lib/docs/docs-markdown.ts';
import { loadDocsPage } from '#lib/docs/pages.ts';
import { requireEvent } from '#lib/events/require-event.ts';
import type { EventsSnapshot } from '#lib/events/snapshot.ts';
import { toDirectoryMarkdown } from '#lib/formats/markdown/directory.ts';
import { toEventMarkdown } from '#lib/formats/markdown/event.ts';
import type { Site } from '#lib/formats/site.ts';
import { HttpError } from '#lib/http/errors.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { toPageAddress } from './page-address.ts';

/** The Markdown twin of a page: a text of its own, or one that is written from events or models. */
export type MarkdownPage =
  | Readonly<{ kind: 'text'; path: string; write: () => string }>
  | Readonly<{ kind: 'events'; toPage: (snapshot: EventsSnapshot) => EventsPage }>
  | Readonly<{ kind: 'models' }>;

/** A page for one snapshot: where its HTML form is, and how it is written. */
type EventsPage = Readonly<{ path: string; write: () => string }>;

/**
 * The twin of the page with these segments.
 * @throws HttpError 404 where no page has that address.
 */
export function findMarkdownPage(segments: readonly string[], site: Site): MarkdownPage {
  const address = toPageAddress(segments.map(decodePathSegment));
  if (address.kind === 'directory') return { kind: 'events', toPage: toDirectoryPage(site) };
  if (address.kind === 'event') return { kind: 'events', toPage: toEventPage(address.slug, site) };
  if (address.kind === 'models') return { kind: 'models' };
  const docsPage = address.kind === 'docs' && loadDocsPage(address.name, site);
  if (docsPage) {
    return { kind: 'text', path: docsPage.path, write: () => toDocsMarkdown(docsPage, site) };
  }
  throw new HttpError('not_found', { message: 'There is no page at this address.' });
}

function toDirectoryPage(site: Site) {
  return ({ events, generatedAt }: EventsSnapshot): EventsPage => ({
    path: '/',
    write: () => toDirectoryMarkdown(events, { site, generatedAt }),
  });
}

function toEventPage(name: string, site: Site) {
  return (snapshot: EventsSnapshot): EventsPage => {
    const event = requireEvent(snapshot, name);
    return { path: `/events/${event.slug}`, write: () => toEventMarkdown(event, { site }) };
  };
}
