import type { ListItem, PhrasingContent, Root, RootContent } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import { shortenText, toXmlText } from '#lib/events/words/clean-text.ts';
import { toSafeTree } from './safe-tree.ts';

// A text without any of these is plain text already.
const anyMarkup = /[\\`*_[\]<|~&]|^\s*(?:[-+#>]|\d{1,9}[.)])|^(?: {4}|\t)|^\s*[=-]+\s*$/m;

/**
 * Converts Markdown to plain text: paragraphs are separated by blank lines, links are followed by their URL,
 * lists keep their markers.
 * @param lengthMax in characters; a shortened text ends with an ellipsis.
 */
export function toPlainText(markdown: string, lengthMax: number): string {
  // Leaves room for markup around the text.
  const source = markdown.slice(0, lengthMax * 3);
  if (!anyMarkup.test(source)) return shortenText(trimLines(toXmlText(source)), lengthMax);
  const { tree, isCut } = toSafeTree(source, lengthMax * 2);
  const text = trimLines(joinBlocks(tree.children));
  return shortenText(isCut ? `${text} …` : text, lengthMax);
}

/** A tree of our own as plain text. */
export function writePlainText(tree: Root): string {
  return `${joinBlocks(tree.children)}\n`;
}

function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function toBlockText(node: RootContent): string {
  switch (node.type) {
    case 'paragraph':
    case 'heading':
      return toPhraseText(node.children);
    case 'blockquote':
      return joinBlocks(node.children);
    case 'list': {
      const first = node.start ?? 1;
      return node.children
        .map((item, index) => `${node.ordered ? `${first + index}.` : '-'} ${toItemText(item)}`)
        .join('\n');
    }
    case 'table':
      return node.children
        .map((row) => row.children.map((cell) => toPhraseText(cell.children)).join(' | '))
        .join('\n');
    case 'code':
      return node.value;
    default:
      return '';
  }
}

function toItemText({ checked, children }: ListItem): string {
  const box = typeof checked === 'boolean' ? (checked ? '[x] ' : '[ ] ') : '';
  return box + joinBlocks(children, '\n');
}

function joinBlocks(nodes: readonly RootContent[], separator = '\n\n'): string {
  return nodes.map(toBlockText).join(separator);
}

function toPhraseText(nodes: readonly PhrasingContent[]): string {
  return nodes.map(toOnePhraseText).join('');
}

function toOnePhraseText(node: PhrasingContent): string {
  switch (node.type) {
    case 'break':
      return '\n';
    case 'emphasis':
    case 'strong':
    case 'delete':
      return toPhraseText(node.children);
    case 'link': {
      const words = toPhraseText(node.children);
      const isUrl = toBareUrl(node.url) === toBareUrl(words);
      return isUrl ? words : `${words} (${node.url})`;
    }
    default:
      return toNodeText(node);
  }
}

function toBareUrl(url: string): string {
  return url.replace(/^(?:https?:\/\/|mailto:)/, '').replace(/\/$/, '');
}
