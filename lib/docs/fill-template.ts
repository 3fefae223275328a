import slugify from '@sindresorhus/slugify';
import type { BlockContent, Heading, PhrasingContent, Root, RootContent } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/** What stands in for `{{name}}` in a text of the documentation. */
export type Filling = Readonly<{
  /** Within words, code and addresses. */
  values: Readonly<Record<string, string>>;
  /** In place of a paragraph that is nothing but `{{name}}`. */
  blocks: Readonly<Record<string, readonly BlockContent[]>>;
}>;

/**
 * The tree of a documentation text with its blanks filled in. They are filled in the tree and not in
 * the text, so that no value means anything to Markdown.
 * @throws Error for a blank that nothing stands in for.
 */
export function fillTree(markdown: string, filling: Filling): Root {
  const tree = parser.parse(markdown);
  return { ...tree, children: tree.children.flatMap((node) => fillBlock(node, filling)) };
}

/** Words with inline Markdown in them. */
export function parsePhrases(markdown: string): PhrasingContent[] {
  const [first] = parser.parse(markdown).children;
  return first?.type === 'paragraph' ? first.children : [];
}

/** A heading with the anchor that addresses lead to. */
export function withAnchor(node: Heading, anchor = toAnchor(toNodeText(node))): Heading {
  return { ...node, data: { ...node.data, hProperties: { id: anchor } } };
}

/** The anchor of a heading. An error code is its own. */
export function toAnchor(heading: string): string {
  return /^[a-z_]+$/.test(heading) ? heading : slugify(heading);
}

const blankBlock = /^\{\{([\w-]+)\}\}$/;
const blank = /\{\{([\w.]+)\}\}/g;

function fillBlock(node: RootContent, filling: Filling): RootContent[] {
  const [, name] = blankBlock.exec(node.type === 'paragraph' ? toNodeText(node) : '') ?? [];
  if (name !== undefined) return [...requireValue(filling.blocks, name)];
  const filled = fillNode(node, filling.values);
  return filled.type === 'heading' && filled.depth > 1 ? [withAnchor(filled)] : [filled];
}

function fillNode<N extends RootContent>(node: N, values: Filling['values']): N {
  const filled: N = { ...node };
  const fill = (text: string) => text.replace(blank, (_, name) => requireValue(values, name));
  if ('value' in filled) filled.value = fill(filled.value);
  if ('url' in filled) filled.url = fill(filled.url);
  if ('children' in filled) {
    const children: RootContent[] = filled.children;
    Object.assign(filled, { children: children.map((child) => fillNode(child, values)) });
  }
  return filled;
}

function requireValue<V>(values: Readonly<Record<string, V>>, name: string): V {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw new Error(`Nothing stands in for {{${name}}}.`);
  return value;
}
