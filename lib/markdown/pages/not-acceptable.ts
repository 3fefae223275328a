import type { PageRepresentation } from '#lib/events/view/representations.ts';
import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { code, heading, link, list, paragraph, root } from '../nodes.ts';
import { indexLine } from '../representation-lines.ts';
import { writeMarkdown } from '../write-markdown.ts';

type NotAcceptable = Readonly<{
  site: Site;
  message: string;
  forms: readonly PageRepresentation[];
}>;

/** What an address says that has none of the forms that were asked for: those that there are (RFC 9110 §15.5.7). */
export function toNotAcceptableMarkdown({ site, message, forms }: NotAcceptable): string {
  return writeMarkdown(
    root(
      heading(1, 'Not in that form'),
      indexLine(site),
      paragraph(
        `${message} Ask for one of these, or send no Accept header. `,
        link(pageUrl(site, 'errorDocs'), 'What errors mean'),
      ),
      list(forms.map(({ type, url }) => [code(type), ': ', link(url, url)])),
    ),
  );
}
