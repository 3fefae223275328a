import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Site = Readonly<{ name: string; url: string }>;

/** A page of the documentation. */
export type DocsPage = Readonly<{
  title: string;
  /** Markdown, with the site's name and address in place. */
  markdown: string;
}>;

/** Every page: its address below `/docs`, and its file in this folder. */
export const docsFiles: Readonly<Record<string, string>> = {
  '': 'index.md',
  api: 'api.md',
  errors: 'errors.md',
  versioning: 'versioning.md',
};

// From the working directory, not from this module's address: Next bundles the one, not the other.
const folder = join(process.cwd(), 'lib/docs');
const texts = new Map<string, string>();

/**
 * The page at `/docs/{name}`.
 * @returns undefined where there is none.
 */
export function loadDocsPage(name: string, site: Site): DocsPage | undefined {
  const file = Object.hasOwn(docsFiles, name) ? docsFiles[name] : undefined;
  if (file === undefined) return undefined;
  let text = texts.get(file);
  if (text === undefined) {
    text = readFileSync(join(folder, file), 'utf8');
    texts.set(file, text);
  }
  const markdown = text.replaceAll('{{site.url}}', site.url).replaceAll('{{site.name}}', site.name);
  return { title: /^# (.+)$/m.exec(text)?.[1] ?? 'Documentation', markdown };
}
