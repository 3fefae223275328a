import { pageMarkdownUrl, type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import { toDocsMarkdown } from '../docs/docs-markdown.ts';
import { type DocsPage, docsNames, loadDocsPage } from '../docs/pages.ts';

/** A text that a client may load into a model's context. Its URI is its public URL. */
export type Resource = Readonly<{
  uri: string;
  name: string;
  title: string;
  description: string;
  write: () => string;
}>;

export const resourceType = 'text/markdown';

/** The pages of the documentation. */
export function listResources(site: Site): Resource[] {
  return docsNames
    .map((name) => loadDocsPage(name, site))
    .filter((page): page is DocsPage => page !== undefined)
    .map((page) => ({
      uri:
        page.path === '/docs' ? pageMarkdownUrl(site, 'docs') : `${toPageUrl(site, page.path)}.md`,
      name: page.path.slice(1),
      title: page.title,
      description: page.description,
      write: () => toDocsMarkdown(page, site),
    }));
}
