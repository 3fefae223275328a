import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { toHast } from 'mdast-util-to-hast';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { toDocsTree } from '#lib/formats/docs-tree.ts';

/** A text of our own, with an anchor on each heading. */
export function DocsText({ markdown }: Readonly<{ markdown: string }>) {
  return toJsxRuntime(toHast(toDocsTree(markdown)), { Fragment, jsx, jsxs });
}
