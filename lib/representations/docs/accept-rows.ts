/** An Accept header and the representation of a page that it selects. */
export type AcceptRow = Readonly<{
  client: string;
  /** null: no Accept header is sent. */
  accept: string | null;
  /** `json`: a redirect to the API; `none`: a 406. */
  selects: 'html' | 'markdown' | 'text' | 'json' | 'none';
}>;

/**
 * The headers of well-known clients. The documentation shows this table, and tests use it. Only the directory
 * and events have JSON; other pages respond with a 406 instead.
 */
export const knownClients: readonly AcceptRow[] = [
  { client: 'Claude Code', accept: 'text/markdown, text/html, */*', selects: 'markdown' },
  {
    client: 'OpenCode',
    accept:
      'text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1',
    selects: 'markdown',
  },
  { client: 'Cursor', accept: 'text/markdown, text/plain;q=0.9, */*;q=0.8', selects: 'markdown' },
  { client: 'Codex CLI', accept: 'text/html, */*', selects: 'html' },
  {
    client: 'A browser',
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    selects: 'html',
  },
  { client: 'curl', accept: '*/*', selects: 'html' },
  { client: 'No Accept header', accept: null, selects: 'html' },
];

/** Edge cases of content negotiation. */
export const acceptCases: readonly AcceptRow[] = [
  { client: 'Only Markdown', accept: 'text/markdown', selects: 'markdown' },
  { client: 'In upper case', accept: 'TEXT/MARKDOWN', selects: 'markdown' },
  { client: 'Both, in either order', accept: 'text/html, text/markdown', selects: 'markdown' },
  {
    client: 'Both with the same weight',
    accept: 'text/html;q=0.5, text/markdown;q=0.5',
    selects: 'markdown',
  },
  { client: 'HTML preferred', accept: 'text/html, text/markdown;q=0.9', selects: 'html' },
  { client: 'Markdown preferred', accept: 'text/html;q=0.9, text/markdown', selects: 'markdown' },
  {
    client: 'With a parameter',
    accept: 'text/markdown;variant=GFM;q=0.5, text/html;q=0.4',
    selects: 'markdown',
  },
  { client: 'Any text', accept: 'text/*', selects: 'html' },
  { client: 'Anything but Markdown', accept: 'text/markdown;q=0, */*', selects: 'html' },
  { client: 'Anything but HTML', accept: 'text/html;q=0, */*', selects: 'markdown' },
  { client: 'Neither of them', accept: 'text/html;q=0, text/markdown;q=0, */*', selects: 'none' },
  { client: 'Nothing at all', accept: '*/*;q=0', selects: 'none' },
  { client: 'An image', accept: 'image/png', selects: 'none' },
  { client: 'JSON', accept: 'application/json', selects: 'json' },
  {
    client: 'Anything, JSON named',
    accept: 'application/json, text/plain, */*',
    selects: 'html',
  },
  { client: 'Plain text', accept: 'text/plain', selects: 'text' },
  { client: 'Plain text preferred', accept: 'text/plain, text/html;q=0.5', selects: 'text' },
  { client: 'Plain text or Markdown', accept: 'text/plain, text/markdown', selects: 'markdown' },
];
