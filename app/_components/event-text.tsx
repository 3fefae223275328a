import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { toHast } from 'mdast-util-to-hast';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { toEventMarkdownTree } from '#lib/formats/event-markdown-tree.ts';

/** An event's own Markdown, from a tree that holds nothing but what is safe to show. */
export function EventText({ markdown }: Readonly<{ markdown: string }>) {
  const { tree, isCut } = toEventMarkdownTree(markdown);
  return (
    <div className="event-text prose" dir="auto">
      {toJsxRuntime(toHast(tree), { Fragment, jsx, jsxs })}
      {isCut && <p>The text goes on in the JSON form of this event.</p>}
    </div>
  );
}
