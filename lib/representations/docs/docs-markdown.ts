import type { Site } from '#lib/events/view/site-urls.ts';
import { toPageLinks } from '../markdown/alternate-links.ts';
import { writeMarkdown } from '../markdown/write-markdown.ts';
import type { DocsPage } from './pages.ts';
import { toReferenceBlocks } from './reference-blocks.ts';

/** A documentation page as Markdown, with links to its representations and `/llms.txt` below the title. */
export function toDocsMarkdown(page: DocsPage, site: Site): string {
  const { tree, path, reference } = page;
  const [title, ...text] = tree.children;
  return writeMarkdown({
    type: 'root',
    children: [
      ...(title === undefined ? [] : [title]),
      toPageLinks(site, path),
      ...text,
      ...(reference === null ? [] : toReferenceBlocks(reference)),
    ],
  });
}
