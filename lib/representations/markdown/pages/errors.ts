import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import type { NamedGroup } from '#lib/events/source/name-index.ts';
import { toEventTitle } from '#lib/events/view/event-facts.ts';
import type { PageRepresentation } from '#lib/events/view/link-headers.ts';
import {
  eventMarkdownUrl,
  pageMarkdownUrl,
  pageUrl,
  type Site,
} from '#lib/events/view/site-urls.ts';
import { shortenText, toOneLine } from '#lib/events/words/clean-text.ts';
import { toGroupLink, toIndexLink } from '../alternate-links.ts';
import { code, heading, link, list, messagePhrases, paragraph, root } from '../nodes.ts';
import { writeMarkdown } from '../write-markdown.ts';

type ErrorPage = Readonly<{ site: Site; message: string; hint: string | undefined }>;

/** The Markdown page of any error that has no page of its own. */
export function toErrorMarkdown({ site, message, hint }: ErrorPage): string {
  return writeMarkdown(
    root(
      heading(1, ...messagePhrases(message)),
      toIndexLink(site),
      paragraph(...(hint === undefined ? [] : messagePhrases(`${hint} `)), errorDocsLink(site)),
    ),
  );
}

type NotFoundPage = Readonly<{
  site: Site;
  /** As it was requested. */
  path: string;
  /** Events with a similar slug. */
  nearest?: readonly Pick<MarqueeEvent, 'name' | 'slug'>[];
  /** Cities, organizers or series with a similar name. */
  groups?: readonly NamedGroup[];
  /** Whether an event had this URL. */
  isRemoved?: boolean;
}>;

/** The Markdown page of a 404, or of the 410 of an event. */
export function toNotFoundMarkdown({
  site,
  path,
  nearest = [],
  groups = [],
  isRemoved = false,
}: NotFoundPage): string {
  const suggestions = [
    ...nearest.map((event) => [
      link(eventMarkdownUrl(site, event.slug), shortenText(toEventTitle(event), 120)),
    ]),
    ...groups.map((group) => [toGroupLink(site, group)]),
  ];
  return writeMarkdown(
    root(
      heading(1, isRemoved ? 'This event was removed' : 'Page not found'),
      toIndexLink(site),
      paragraph(
        isRemoved ? 'There is no longer an event at ' : 'There is no page at ',
        code(shortenText(toOneLine(path), 200) || '/'),
        '.',
      ),
      ...(suggestions.length === 0 ? [] : [paragraph('Did you mean:'), list(suggestions)]),
      paragraph('Good places to start:'),
      list([
        [link(pageMarkdownUrl(site, 'directory'), 'All events')],
        [link(pageUrl(site, 'list'), 'All events as JSON')],
        [link(pageUrl(site, 'docs'), 'Documentation')],
      ]),
    ),
  );
}

type NotAcceptablePage = Readonly<{
  site: Site;
  message: string;
  representations: readonly PageRepresentation[];
}>;

/** The Markdown page of a 406: it lists the available representations (RFC 9110 §15.5.7). */
export function toNotAcceptableMarkdown(page: NotAcceptablePage): string {
  const { site, message, representations } = page;
  return writeMarkdown(
    root(
      heading(1, 'Not acceptable'),
      toIndexLink(site),
      paragraph(`${message} Request one of these, or send no Accept header. `, errorDocsLink(site)),
      list(representations.map(({ type, url }) => [code(type), ': ', link(url, url)])),
    ),
  );
}

/** The Markdown page shown while the table of events cannot be read. */
export function toUnavailableMarkdown({ site }: Readonly<{ site: Site }>): string {
  return writeMarkdown(
    root(
      heading(1, 'Events are temporarily unavailable'),
      toIndexLink(site),
      paragraph(
        'The events table cannot be read at the moment, and this site does not show outdated events instead. Try again in a minute. ',
        errorDocsLink(site),
      ),
    ),
  );
}

function errorDocsLink(site: Site) {
  return link(pageUrl(site, 'errorDocs'), 'About errors');
}
