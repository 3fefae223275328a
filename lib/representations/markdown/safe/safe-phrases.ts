import type { Break, Link, PhrasingContent, Root, RootContent, Text } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';

export type PhraseContext = Readonly<{
  /** URLs of reference links, by identifier. */
  definitions: ReadonlyMap<string, string>;
  depth: number;
  isInLink: boolean;
}>;

// Deeper phrases become plain text.
const phraseDepthMax = 6;

/** Converts untrusted inline content to nodes that are safe to show. */
export function toSafePhrases(
  nodes: readonly PhrasingContent[],
  context: PhraseContext,
): PhrasingContent[] {
  return joinTexts(nodes.flatMap((node) => toSafePhrase(node, context)));
}

function toSafePhrase(node: PhrasingContent, context: PhraseContext): PhrasingContent[] {
  if (context.depth > phraseDepthMax) return toText(toNodeText(node));
  const inner = { ...context, depth: context.depth + 1 };
  switch (node.type) {
    case 'text':
      return toText(node.value);
    case 'inlineCode':
      return [{ type: 'inlineCode', value: node.value }];
    case 'break':
      return [{ type: 'break' }];
    case 'emphasis':
    case 'strong':
    case 'delete': {
      const children = toSafePhrases(node.children, inner);
      return children.length === 0 ? [] : [{ type: node.type, children }];
    }
    case 'link':
      return toSafeLink(node.children, node.url, inner);
    case 'linkReference':
      return toSafeLink(node.children, context.definitions.get(node.identifier), inner);
    case 'image':
      return toSafeLink(toText(node.alt || 'picture'), node.url, inner);
    case 'imageReference': {
      const words = toText(node.alt || 'picture');
      return toSafeLink(words, context.definitions.get(node.identifier), inner);
    }
    case 'html':
      return splitHtml(node.value);
    default:
      return [];
  }
}

function toSafeLink(
  nodes: readonly PhrasingContent[],
  target: string | undefined,
  context: PhraseContext,
): PhrasingContent[] {
  const url = context.isInLink ? null : toSafeLinkUrl(target ?? '');
  if (url === null) return toSafePhrases(nodes, context);
  const children = toSafePhrases(nodes, { ...context, isInLink: true });
  const link: Link = { type: 'link', url, children: children.length > 0 ? children : toText(url) };
  return [link];
}

/** Raw HTML as visible text; `<br>` becomes a line break. */
export function splitHtml(html: string): Array<Text | Break> {
  const parts = html.split(/\s*<br\s*\/?>\s*/i);
  return parts.flatMap((part, index): Array<Text | Break> => {
    return index === 0 ? toText(part) : [{ type: 'break' }, ...toText(part)];
  });
}

/** The URLs of all reference links; the first definition of an identifier wins. */
export function collectDefinitions(root: Root): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  const queue: RootContent[] = root.children.toReversed();
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node.type === 'definition') {
      if (!definitions.has(node.identifier)) definitions.set(node.identifier, node.url);
    } else if ('children' in node) {
      queue.push(...node.children.toReversed());
    }
  }
  return definitions;
}

function toText(value: string): Text[] {
  return value === '' ? [] : [{ type: 'text', value }];
}

function joinTexts(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const joined: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.type === 'text' && last?.type === 'text') last.value += node.value;
    else joined.push(node);
  }
  return joined;
}

const linkProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * Normalizes an absolute URL that is safe to link to.
 * @returns null for other protocols (`javascript:`, `data:` …) and for relative or invalid URLs.
 */
export function toSafeLinkUrl(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && linkProtocols.has(url.protocol) ? url.href : null;
}
