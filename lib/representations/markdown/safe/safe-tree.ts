import type { BlockContent, List, ListItem, Root, RootContent, Table } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { toXmlText } from '#lib/events/words/clean-text.ts';
import { inlineFootnotes } from '#lib/events/words/footnotes.ts';
import { boundMarkdown, markdownLengthMax } from './bound-markdown.ts';
import {
  collectDefinitions,
  type PhraseContext,
  splitHtml,
  toSafePhrases,
} from './safe-phrases.ts';

type SafeTree = Readonly<{
  tree: Root & { children: BlockContent[] };
  /** Whether the text was shortened, because it was too long or had too much markup. */
  isCut: boolean;
}>;

/** The level of a text's highest heading, below those of the page. */
const headingDepthMin = 3;

// Deeper blocks become paragraphs of plain text.
const blockDepthMax = 8;

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/**
 * Parses an event's Markdown (CommonMark with GFM) into a tree that is safe to show: no raw HTML and no
 * images, only links to websites, mail addresses and phone numbers, headings below those of the page, bounded in size and
 * depth. This is the only place where untrusted text is sanitized: all representations use this tree or
 * the plain text made from it, and their serializers escape the rest.
 * @param lengthMax in characters of source.
 */
export function toSafeTree(markdown: string, lengthMax = markdownLengthMax): SafeTree {
  const { text, isCut } = boundMarkdown(toXmlText(markdown), lengthMax);
  const parsed = parser.parse(text);
  inlineFootnotes(parsed);
  const context: BlockContext = {
    definitions: collectDefinitions(parsed),
    headingShift: headingDepthMin - findHighestHeading(parsed),
    depth: 0,
    isInLink: false,
  };
  return { tree: { type: 'root', children: toSafeBlocks(parsed.children, context) }, isCut };
}

type BlockContext = PhraseContext & Readonly<{ headingShift: number }>;

function toSafeBlocks(nodes: readonly RootContent[], context: BlockContext): BlockContent[] {
  return nodes.flatMap((node) => toSafeBlock(node, context));
}

function toSafeBlock(node: RootContent, context: BlockContext): BlockContent[] {
  if (context.depth > blockDepthMax) return toParagraph(toNodeText(node));
  const inner = { ...context, depth: context.depth + 1 };
  switch (node.type) {
    case 'paragraph':
    case 'heading': {
      const children = toSafePhrases(node.children, { ...context, depth: 0 });
      if (children.length === 0) return [];
      if (node.type === 'paragraph') return [{ type: 'paragraph', children }];
      return [{ type: 'heading', depth: toDepth(node.depth + context.headingShift), children }];
    }
    case 'blockquote': {
      const children = toSafeBlocks(node.children, inner);
      return children.length === 0 ? [] : [{ type: 'blockquote', children }];
    }
    case 'list':
      return [toSafeList(node, inner)];
    case 'table':
      return [toSafeTable(node, { ...context, depth: 0 })];
    case 'code':
      return [{ type: 'code', lang: toLanguage(node.lang), value: node.value }];
    case 'thematicBreak':
      return [{ type: 'thematicBreak' }];
    case 'html':
      return node.value.split(/\n\s*\n/).flatMap(toHtmlParagraph);
    default:
      return [];
  }
}

function toSafeList(list: List, context: BlockContext): List {
  const children = list.children.map(
    (item): ListItem => ({
      type: 'listItem',
      spread: item.spread ?? false,
      ...(typeof item.checked === 'boolean' && { checked: item.checked }),
      children: toSafeBlocks(item.children, context),
    }),
  );
  const { ordered = false, spread = false } = list;
  const start = ordered ? (list.start ?? 1) : null;
  return { type: 'list', ordered: ordered ?? false, start, spread: spread ?? false, children };
}

function toSafeTable(table: Table, context: PhraseContext): Table {
  return {
    type: 'table',
    align: table.align ?? [],
    children: table.children.map((row) => ({
      type: 'tableRow',
      children: row.children.map((cell) => ({
        type: 'tableCell',
        children: toSafePhrases(cell.children, context),
      })),
    })),
  };
}

function toHtmlParagraph(html: string): BlockContent[] {
  const lines = html.replace(/^[ \t]+/gm, '');
  const words = lines.replace(/^(?:\s|<br\s*\/?>)+|(?:\s|<br\s*\/?>)+$/gi, '');
  return words === '' ? [] : [{ type: 'paragraph', children: splitHtml(words) }];
}

function toParagraph(words: string): BlockContent[] {
  const value = words.trim();
  return value === '' ? [] : [{ type: 'paragraph', children: [{ type: 'text', value }] }];
}

function toLanguage(language: string | null | undefined): string | null {
  return language && /^[\w+#.-]{1,30}$/.test(language) ? language : null;
}

function toDepth(depth: number) {
  const depths = [1, 2, 3, 4, 5, 6] as const;
  return depths[Math.max(depth, 1) - 1] ?? 6;
}

function findHighestHeading(root: Root): number {
  let highest = 6;
  const queue: RootContent[] = [...root.children];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node.type === 'heading') highest = Math.min(highest, node.depth);
    else if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem') {
      queue.push(...node.children);
    }
  }
  return highest;
}
