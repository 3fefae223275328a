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

/** The commands of a text, a block for each. */
export function readCommandBlocks(text: string): string[] {
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}
