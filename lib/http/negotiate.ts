import { acceptQuality, namesMediaType } from './accept.ts';
import { toCanonicalPath } from './path.ts';

/** How a page is served: rendered, or as the Markdown twin of the page at `path`, or not at all (406). */
export type PageChoice =
  | Readonly<{ form: 'html' }>
  | Readonly<{ form: 'markdown'; path: string }>
  | Readonly<{ form: 'none' }>;

/** Where the Markdown twins of all pages live; the address that a visitor sees never shows it. */
export const markdownRoot = '/markdown';

/**
 * Chooses the form of a page: by its address where that ends in `.md` (`/index.md` for `/`), else by
 * the Accept header.
 */
export function choosePage(path: string, accept: string | null): PageChoice {
  if (path.endsWith('.md')) {
    const page = path.slice(0, -'.md'.length);
    return {
      form: 'markdown',
      path: page === '/index' ? '/' : toCanonicalPath(page),
    };
  }
  const form = preferredForm(accept);
  return form === 'markdown' ? { form, path } : { form };
}

/** The address inside the app of the Markdown twin of a page. */
export function toMarkdownRoute(path: string): string {
  return path === '/' ? markdownRoot : markdownRoot + path;
}

// Markdown, where it is wanted more than HTML, or as much and by its own name. A browser gets HTML,
// and so does who takes anything.
function preferredForm(accept: string | null): PageChoice['form'] {
  const html = acceptQuality(accept, 'text/html');
  const markdown = acceptQuality(accept, 'text/markdown');
  if (markdown > html) return 'markdown';
  if (html === 0) return 'none';
  return markdown === html && namesMediaType(accept, 'text/markdown') ? 'markdown' : 'html';
}

/** The public address of a page's Markdown twin. */
export function toMarkdownAddress(path: string): string {
  return path === '/' ? '/index.md' : `${path}.md`;
}
