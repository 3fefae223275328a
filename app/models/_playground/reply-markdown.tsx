import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { toHast } from 'mdast-util-to-hast';
import { memo } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { toSafeTree } from '#lib/representations/markdown/safe/safe-tree.ts';
import { splitMarkdown } from '#lib/site/playground/split-markdown.ts';
import { ScrolledCode, ScrolledTable } from '../../_components/scrolled.tsx';

const components = { pre: ScrolledCode, table: ScrolledTable };

/** Untrusted Markdown, sanitized: no raw HTML, no pictures, only web links. */
export function ReplyMarkdown({ markdown }: Readonly<{ markdown: string }>) {
  return splitMarkdown(markdown).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are only added to, at the end
    <ReplyPart key={index} markdown={part} />
  ));
}

// While a reply streams, only its last part is parsed again.
const ReplyPart = memo(function ReplyPart({ markdown }: Readonly<{ markdown: string }>) {
  const { tree, isCut } = toSafeTree(markdown);
  if (isCut) return <p className="plain-reply">{markdown}</p>;
  return toJsxRuntime(toHast(tree), { Fragment, jsx, jsxs, components });
});
