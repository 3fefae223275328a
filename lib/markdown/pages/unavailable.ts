import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { heading, link, paragraph, root } from '../nodes.ts';
import { indexLine } from '../representation-lines.ts';
import { writeMarkdown } from '../write-markdown.ts';

/** What a page of events says in Markdown while the table of events cannot be read. */
export function toUnavailableMarkdown({ site }: Readonly<{ site: Site }>): string {
  return writeMarkdown(
    root(
      heading(1, 'The events cannot be read just now'),
      indexLine(site),
      paragraph(
        'The table that holds them did not answer, and old ones are not shown in place of true ones. Ask for this address again in a minute. ',
        link(pageUrl(site, 'errorDocs'), 'What errors mean'),
        ' is in the documentation.',
      ),
    ),
  );
}
