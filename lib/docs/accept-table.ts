/** One Accept header and the form of a page that it gets. */
export type AcceptRow = Readonly<{
  client: string;
  /** null: the header is not sent at all. */
  accept: string | null;
  /** `none`: a 406. */
  form: 'html' | 'markdown' | 'none';
}>;

const html = 'html';
const markdown = 'markdown';
const none = 'none';

/** What well-known clients send for a page. The documentation shows this table, and the tests ask with it. */
export const knownClients: readonly AcceptRow[] = [
  { client: 'Claude Code', accept: 'text/markdown, text/html, */*', form: markdown },
  {
    client: 'OpenCode',
    accept:
      'text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1',
    form: markdown,
  },
  { client: 'Cursor', accept: 'text/markdown, text/plain;q=0.9, */*;q=0.8', form: markdown },
  { client: 'Codex CLI', accept: 'text/html, */*', form: html },
  {
    client: 'A browser',
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    form: html,
  },
  { client: 'curl', accept: '*/*', form: html },
  { client: 'A program that sends none', accept: null, form: html },
];

/** The corners of the rule, each by an example. */
export const acceptCases: readonly AcceptRow[] = [
  { client: 'Markdown alone', accept: 'text/markdown', form: markdown },
  { client: 'In capitals', accept: 'TEXT/MARKDOWN', form: markdown },
  { client: 'Both alike, in either order', accept: 'text/html, text/markdown', form: markdown },
  {
    client: 'Both alike, by weight',
    accept: 'text/html;q=0.5, text/markdown;q=0.5',
    form: markdown,
  },
  { client: 'HTML a little more', accept: 'text/html, text/markdown;q=0.9', form: html },
  { client: 'Markdown a little more', accept: 'text/html;q=0.9, text/markdown', form: markdown },
  {
    client: 'With a parameter',
    accept: 'text/markdown;variant=GFM;q=0.5, text/html;q=0.4',
    form: markdown,
  },
  { client: 'Any text', accept: 'text/*', form: html },
  { client: 'All but Markdown', accept: 'text/markdown;q=0, */*', form: html },
  { client: 'All but HTML', accept: 'text/html;q=0, */*', form: markdown },
  { client: 'Neither of the two', accept: 'text/html;q=0, text/markdown;q=0, */*', form: none },
  { client: 'Nothing at all', accept: '*/*;q=0', form: none },
  { client: 'A picture', accept: 'image/png', form: none },
  { client: 'JSON', accept: 'application/json', form: none },
];
