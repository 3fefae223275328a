import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import type { RootContent } from 'mdast';
import { toHast } from 'mdast-util-to-hast';
import type { ComponentProps } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { ScrolledCode, ScrolledTable } from '../../_components/scrolled.tsx';

type DocsTextProps = Readonly<{
  nodes: readonly RootContent[];
  /** The site's public URL: links to it are made relative. */
  siteUrl: string;
}>;

/** Renders Markdown of the docs. Wide code and tables scroll. */
export function DocsText({ nodes, siteUrl }: DocsTextProps) {
  const tree = toHast({ type: 'root', children: [...nodes] });
  const components = {
    a: ({ href = '', ...others }: ComponentProps<'a'>) => (
      <a href={href.startsWith(`${siteUrl}/`) ? href.slice(siteUrl.length) : href} {...others} />
    ),
    pre: ScrolledCode,
    table: ScrolledTable,
  };
  return toJsxRuntime(tree, { Fragment, jsx, jsxs, components });
}
