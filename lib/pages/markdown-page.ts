import { toDocsMarkdown } from '#lib/docs/docs-markdown.ts';
import { loadDocsPage } from '#lib/docs/pages.ts';
import { parseDirectoryQuery } from '#lib/events/query/directory-query.ts';
import { toSearch } from '#lib/events/query/filters.ts';
import { requireEvent } from '#lib/events/query/require-event.ts';
import type { EventsSnapshot } from '#lib/events/store/snapshot.ts';
import { selectDirectoryView } from '#lib/events/view/select-directory-view.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { HttpError } from '#lib/http/errors.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { toDirectoryMarkdown } from '#lib/markdown/pages/directory.ts';
import { toEventMarkdown } from '#lib/markdown/pages/event.ts';
import { toPageAddress } from './page-address.ts';

/** The Markdown twin of a page: a text of its own, or one that is written from events or models. */
export type MarkdownPage =
  | Readonly<{ kind: 'text'; path: string; write: () => string }>
  | Readonly<{ kind: 'events'; toPage: (snapshot: EventsSnapshot) => EventsPage }>
  | Readonly<{ kind: 'models' }>;

/** A page for one snapshot: where its HTML form is, and how it is written. */
type EventsPage = Readonly<{
  path: string;
  /** Tells it from others with the same path. */
  key?: string;
  write: () => string;
}>;

type PageOptions = Readonly<{
  site: Site;
  /** The query of the address, with its `?`, or empty. The directory takes filters there. */
  search: string;
}>;

/**
 * The twin of the page with these segments.
 * @throws HttpError 404 where no page has that address.
 */
export function findMarkdownPage(
  segments: readonly string[],
  { site, search }: PageOptions,
): MarkdownPage {
  const address = toPageAddress(segments.map(decodePathSegment));
  if (address.kind === 'directory') {
    return { kind: 'events', toPage: toDirectoryPage(site, search) };
  }
  if (address.kind === 'event') return { kind: 'events', toPage: toEventPage(address.slug, site) };
  if (address.kind === 'models') return { kind: 'models' };
  const docsPage = address.kind === 'docs' && loadDocsPage(address.name, site);
  if (docsPage) {
    return { kind: 'text', path: docsPage.path, write: () => toDocsMarkdown(docsPage, site) };
  }
  throw new HttpError('not_found', { message: 'There is no page at this address.' });
}

function toDirectoryPage(site: Site, given: string) {
  const parameters = new URLSearchParams(given);
  const { filters, page, problems } = parseDirectoryQuery(
    Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)])),
  );
  const search = toSearch(filters);
  return (snapshot: EventsSnapshot): EventsPage => ({
    path: `/${toSearch(filters, page)}`,
    key: JSON.stringify(problems),
    write: () =>
      toDirectoryMarkdown(selectDirectoryView(snapshot, { filters, page }), {
        ...{ site, search, problems },
        changedAtMs: snapshot.changedAtMs,
      }),
  });
}

function toEventPage(name: string, site: Site) {
  return (snapshot: EventsSnapshot): EventsPage => {
    const event = requireEvent(snapshot, name);
    return { path: `/events/${event.slug}`, write: () => toEventMarkdown(event, { site }) };
  };
}
