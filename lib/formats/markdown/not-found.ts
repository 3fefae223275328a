import { pageMarkdownUrl, pageUrl, type Site } from '../site.ts';
import { shortenText, toOneLine } from '../xml-text.ts';
import { indexLine } from './forms.ts';
import { code, heading, link, list, paragraph, root } from './nodes.ts';
import { writeMarkdown } from './write-markdown.ts';

type NotFound = Readonly<{
  site: Site;
  /** What was asked for, as it came. */
  path: string;
}>;

/** What an address that leads nowhere says in Markdown. */
export function toNotFoundMarkdown({ site, path }: NotFound): string {
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
      list([
        [link(pageMarkdownUrl(site, 'directory'), 'All events')],
        [link(pageUrl(site, 'list'), 'All events as JSON')],
        [link(pageUrl(site, 'docs'), 'Documentation')],
      ]),
    ),
  );
}
