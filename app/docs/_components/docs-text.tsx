import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import type { RootContent } from 'mdast';
import { toHast } from 'mdast-util-to-hast';
import type { ComponentProps } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { ScrolledCode, ScrolledTable } from '../../_components/scrolled.tsx';
import { sizeColumns } from './size-columns.ts';

type DocsTextProps = Readonly<{
  nodes: readonly RootContent[];
  /** The site's public address: links that begin with it are written without it. */
  siteUrl: string;
}>;

/** A text of our own. What may be wider than the page scrolls by itself, by keyboard too. */
export function DocsText({ nodes, siteUrl }: DocsTextProps) {
  const tree = toHast({ type: 'root', children: nodes.map(sizeColumns) });
  const components = {
    a: ({ href = '', ...others }: ComponentProps<'a'>) => (
      <a href={href.startsWith(`${siteUrl}/`) ? href.slice(siteUrl.length) : href} {...others} />
    ),
    pre: ScrolledCode,
    table: ScrolledTable,
  };
  return toJsxRuntime(tree, { Fragment, jsx, jsxs, components });
}
