import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { toHast } from 'mdast-util-to-hast';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { toSafeTree } from '#lib/markdown/safe/safe-tree.ts';
import { ScrolledCode, ScrolledTable } from '../../_components/scrolled.tsx';

const components = { pre: ScrolledCode, table: ScrolledTable };

/** An event's Markdown, sanitized. */
export function EventText({ markdown }: Readonly<{ markdown: string }>) {
  const { tree, isCut } = toSafeTree(markdown);
  return (
    <div className="event-text prose" dir="auto">
      {toJsxRuntime(toHast(tree), { Fragment, jsx, jsxs, components })}
      {isCut && <p>The rest of this text is in the event’s JSON.</p>}
    </div>
  );
}
