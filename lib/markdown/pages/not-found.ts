import type { List } from 'mdast';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { shortenText, toOneLine } from '#lib/events/view/clean-text.ts';
import { toEventTitle } from '#lib/events/view/event-facts.ts';
import {
  eventMarkdownUrl,
  pageMarkdownUrl,
  pageUrl,
  type Site,
} from '#lib/events/view/site-urls.ts';
import { code, heading, link, list, paragraph, root } from '../nodes.ts';
import { indexLine } from '../representation-lines.ts';
import { writeMarkdown } from '../write-markdown.ts';

type NotFound = Readonly<{
  site: Site;
  /** What was asked for, as it came. */
  path: string;
  /** Events whose addresses are near to it. */
  nearest?: readonly Pick<MarqueeEvent, 'name' | 'slug'>[];
}>;

/** What an address that leads nowhere says in Markdown. */
export function toNotFoundMarkdown({ site, path, nearest = [] }: NotFound): string {
  const asked = shortenText(toOneLine(path), 200) || '/';
  return writeMarkdown(
    root(
      heading(1, 'Nothing here'),
      indexLine(site),
      paragraph(
        'No page has the address ',
        code(asked),
        '. An event that was renamed has a new one; its id still finds it in the API.',
      ),
      ...(nearest.length === 0 ? [] : [paragraph('Is it one of these?'), toList(nearest, site)]),
      paragraph('Everything starts from one of these:'),
      list([
        [link(pageMarkdownUrl(site, 'directory'), 'All events')],
        [link(pageUrl(site, 'list'), 'All events as JSON')],
        [link(pageUrl(site, 'docs'), 'Documentation')],
      ]),
    ),
  );
}

function toList(events: NonNullable<NotFound['nearest']>, site: Site): List {
  return list(
    events.map((event) => [
      link(eventMarkdownUrl(site, event.slug), shortenText(toEventTitle(event), 120)),
    ]),
  );
}
