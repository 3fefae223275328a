import { listUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { toPageLinks } from '../alternate-links.ts';
import { code, heading, link, paragraph, root } from '../nodes.ts';
import { writeMarkdown } from '../write-markdown.ts';

/** My list as a Markdown page: what it is, and how a program follows events of its choice. */
export function toSavedMarkdown({ site }: Readonly<{ site: Site }>): string {
  return writeMarkdown(
    root(
      heading(1, 'My list'),
      toPageLinks(site, '/saved'),
      paragraph(
        'The events that a visitor saved. Each browser has its own list; the server has none.',
      ),
      paragraph(
        'To follow events of your choice, send their ids: ',
        code('?id=ID1,ID2'),
        ' at ',
        link(listUrl(site), 'the list of events'),
        ' (JSON) or ',
        link(pageUrl(site, 'calendar'), 'the calendar'),
        ' (iCalendar).',
      ),
    ),
  );
}
