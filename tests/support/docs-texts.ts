import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { docsGroups } from '#lib/representations/docs/page-rows.ts';

const root = resolve(import.meta.dirname, '../..');

/** The text of `/docs/{name}` as it is in its file. */
export function readDocsText(name: string): string {
  return readFileSync(join(root, 'lib/representations/docs', `${name}.md`), 'utf8');
}

/** The texts for operators, in the order of the navigation. */
export function readOperateTexts(): string {
  const links = docsGroups.find(([first]) => first?.path === '/docs/operate') ?? [];
  return links.map(({ path }) => readDocsText(path.replace('/docs/', ''))).join('\n');
}

/** The code blocks of a text in a language; those in `sh` are commands. */
export function readBlocks(text: string, language: string): string[] {
  const blocks = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g');
  return [...text.matchAll(blocks)].map(([, block = '']) => block);
}
