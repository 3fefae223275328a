import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { heading, link, paragraph, root } from '../nodes.ts';
import { indexLine } from '../representation-lines.ts';
import { writeMarkdown } from '../write-markdown.ts';

type ErrorPage = Readonly<{ site: Site; message: string; hint: string | undefined }>;

/** What went wrong with a request for a page, in Markdown. */
export function toErrorMarkdown({ site, message, hint }: ErrorPage): string {
  return writeMarkdown(
    root(
      heading(1, message),
      indexLine(site),
      paragraph(hint ?? '', ' ', link(pageUrl(site, 'errorDocs'), 'What errors mean')),
    ),
  );
}
