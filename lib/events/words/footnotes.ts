import type { FootnoteDefinition, Nodes, PhrasingContent, Root, RootContent } from 'mdast';

/** Writes footnotes as text, for readers that know none: `[1]` where they belong, and `[1] The note` at the end. */
export function inlineFootnotes(tree: Root): void {
  const definitions = new Map<string, FootnoteDefinition>();
  takeDefinitions(tree, definitions);
  if (definitions.size === 0) return;
  const order: string[] = [];
  replaceReferences(tree, order);
  // A note may refer to others.
  for (const identifier of order) {
    const note = definitions.get(identifier);
    if (note === undefined) continue;
    replaceReferences(note, order);
    tree.children.push(...toBlocks(note, order.indexOf(identifier) + 1));
  }
}

function takeDefinitions(parent: Nodes, definitions: Map<string, FootnoteDefinition>): void {
  if (!('children' in parent)) return;
  for (const child of parent.children) takeDefinitions(child, definitions);
  const rest = (parent.children as RootContent[]).filter((child) => {
    if (child.type !== 'footnoteDefinition') return true;
    if (!definitions.has(child.identifier)) definitions.set(child.identifier, child);
    return false;
  });
  parent.children = rest as typeof parent.children;
}

function replaceReferences(parent: Nodes, order: string[]): void {
  if (!('children' in parent)) return;
  const children = (parent.children as RootContent[]).map((child): RootContent => {
    replaceReferences(child, order);
    if (child.type !== 'footnoteReference') return child;
    if (!order.includes(child.identifier)) order.push(child.identifier);
    return { type: 'text', value: `[${order.indexOf(child.identifier) + 1}]` };
  });
  parent.children = children as typeof parent.children;
}

function toBlocks({ children }: FootnoteDefinition, number: number): RootContent[] {
  const [first, ...rest] = children;
  const words: PhrasingContent[] = first?.type === 'paragraph' ? first.children : [];
  const text = { type: 'text', value: `[${number}] ` } as const;
  const others = first?.type === 'paragraph' ? rest : children;
  return [{ type: 'paragraph', children: [text, ...words] }, ...others];
}
