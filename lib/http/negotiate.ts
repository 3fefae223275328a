import { acceptQuality, namesMediaType } from './accept.ts';
import { toCanonicalPath } from './path.ts';

/**
 * How a page is served: rendered, or as the Markdown twin of the page at `path`, or as the calendar file
 * of the event whose page that is, or not at all (406).
 */
export type PageChoice =
  | Readonly<{ form: 'html' }>
  | Readonly<{ form: 'markdown' | 'calendar'; path: string }>
  | Readonly<{ form: 'none' }>;

/** Where the other forms of pages live; the addresses that a visitor sees never show it. */
const markdownRoot = '/markdown';
const calendarRoot = '/calendar';

const calendarFile = /^\/events(\/[^/]+)\.ics$/;

/**
 * Chooses the form of a page: by its address where that ends in `.md` (`/index.md` for `/`), or in `.ics`
 * for an event, else by the Accept header.
 */
export function choosePage(path: string, accept: string | null): PageChoice {
  if (path.endsWith('.md')) {
    const page = path.slice(0, -'.md'.length);
    return {
      form: 'markdown',
      path: page === '/index' ? '/' : toCanonicalPath(page),
    };
  }
  const [, event] = calendarFile.exec(path) ?? [];
  if (event !== undefined) return { form: 'calendar', path: `/events${event}` };
  const form = preferredForm(accept);
  return form === 'markdown' ? { form, path } : { form };
}

/** The address inside the app of a form that is no page; null for one that is, and for none. */
export function toFormRoute(choice: PageChoice): string | null {
  if (choice.form === 'markdown') return markdownRoot + (choice.path === '/' ? '' : choice.path);
  if (choice.form === 'calendar') return calendarRoot + choice.path.slice('/events'.length);
  return null;
}

// Markdown, where it is wanted more than HTML, or as much and by its own name. A browser gets HTML,
// and so does who takes anything.
function preferredForm(accept: string | null): 'html' | 'markdown' | 'none' {
  const html = acceptQuality(accept, 'text/html');
  const markdown = acceptQuality(accept, 'text/markdown');
  if (markdown > html) return 'markdown';
  if (html === 0) return 'none';
  return markdown === html && namesMediaType(accept, 'text/markdown') ? 'markdown' : 'html';
}

/** The public address of a page's Markdown twin. */
export function toMarkdownPath(path: string): string {
  return path === '/' ? '/index.md' : `${path}.md`;
}
