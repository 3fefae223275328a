import type { Root } from 'mdast';
import type { Site } from '#lib/events/view/site-urls.ts';
import { toPageLinks } from '#lib/markdown/alternate-links.ts';
import { writeMarkdown } from '#lib/markdown/write-markdown.ts';
import type { DocsPage } from './pages.ts';
import { toReferenceBlocks } from './reference-blocks.ts';

/** A page of the documentation in Markdown, its other form and `/llms.txt` named below its title. */
export function toDocsMarkdown(page: DocsPage, site: Site): string {
  return writeMarkdown(toWholeTree(page, site));
}

function toWholeTree({ tree, path, reference }: DocsPage, site: Site): Root {
  const [title, ...text] = tree.children;
  return {
    type: 'root',
    children: [
      ...(title === undefined ? [] : [title]),
      toPageLinks(site, path),
      ...text,
      ...(reference === null ? [] : toReferenceBlocks(reference)),
    ],
  };
}
