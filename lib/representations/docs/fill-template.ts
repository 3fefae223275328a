import slugify from '@sindresorhus/slugify';
import type { BlockContent, Heading, PhrasingContent, Root, RootContent } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/** What stands for paragraphs that consist of a placeholder only, by its name. */
export type TemplateBlocks = Readonly<Record<string, () => readonly BlockContent[]>>;

/** The values for placeholders such as `{{name}}` in a documentation text. */
type TemplateValues = Readonly<{
  /** For placeholders in text, code and URLs. */
  values: Readonly<Record<string, string>>;
  blocks: TemplateBlocks;
  /** What a link as it is written leads to. */
  toUrl: (link: string) => string;
}>;

/**
 * Parses a documentation text and replaces its placeholders. They are replaced in the tree rather than the
 * text, so that values are never parsed as Markdown.
 * @throws Error for a placeholder without a value.
 */
export function fillTemplate(markdown: string, template: TemplateValues): Root {
  const tree = parseMarkdown(markdown);
  return { ...tree, children: tree.children.flatMap((node) => fillBlock(node, template)) };
}

export function parseMarkdown(markdown: string): Root {
  return parser.parse(markdown);
}

/** Parses inline Markdown. */
export function parsePhrases(markdown: string): PhrasingContent[] {
  const [first] = parser.parse(markdown).children;
  return first?.type === 'paragraph' ? first.children : [];
}

/** Adds the anchor that URL fragments refer to. */
export function withAnchor(node: Heading, anchor = toAnchor(toNodeText(node))): Heading {
  return { ...node, data: { ...node.data, hProperties: { id: anchor } } };
}

/** The anchor of a heading. An error code is its own anchor. */
export function toAnchor(heading: string): string {
  return /^[a-z_]+$/.test(heading) ? heading : slugify(heading);
}

const placeholderBlock = /^\{\{([\w-]+)\}\}$/;
const placeholder = /\{\{([\w.]+)\}\}/g;

function fillBlock(node: RootContent, template: TemplateValues): RootContent[] {
  const [, name] = placeholderBlock.exec(node.type === 'paragraph' ? toNodeText(node) : '') ?? [];
  if (name !== undefined) return [...requireValue(template.blocks, name)()];
  const filled = fillNode(node, template);
  return filled.type === 'heading' && filled.depth > 1 ? [withAnchor(filled)] : [filled];
}

function fillNode<N extends RootContent>(node: N, template: TemplateValues): N {
  const filled: N = { ...node };
  const fill = (text: string) =>
    text.replace(placeholder, (_, name) => requireValue(template.values, name));
  if ('value' in filled) filled.value = fill(filled.value);
  if ('url' in filled) filled.url = template.toUrl(fill(filled.url));
  if ('children' in filled) {
    const children: RootContent[] = filled.children;
    Object.assign(filled, { children: children.map((child) => fillNode(child, template)) });
  }
  return filled;
}

function requireValue<V>(values: Readonly<Record<string, V>>, name: string): V {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw new Error(`No value for {{${name}}}.`);
  return value;
}
