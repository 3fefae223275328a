import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { toHast } from 'mdast-util-to-hast';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import type { TextAttributes } from '#lib/events/words/event-language.ts';
import { toSafeTree } from '#lib/representations/markdown/safe/safe-tree.ts';
import { ScrolledCode, ScrolledTable } from '../../../_components/scrolled.tsx';

const components = { pre: ScrolledCode, table: ScrolledTable };

type EventTextProps = Readonly<{ markdown: string; language: TextAttributes }>;

/** An event's Markdown, sanitized. */
export function EventText({ markdown, language }: EventTextProps) {
  const { tree, isCut } = toSafeTree(markdown);
  return (
    <div className="event-text prose" lang={language.lang} dir="auto">
      {toJsxRuntime(toHast(tree), { Fragment, jsx, jsxs, components })}
      {isCut && <p>The rest of this text is in the event’s JSON.</p>}
    </div>
  );
}
