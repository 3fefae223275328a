import type {
  BlockContent,
  Heading,
  InlineCode,
  Link,
  List,
  Paragraph,
  PhrasingContent,
  Root,
  Table,
} from 'mdast';

/** Short names for the nodes that our own Markdown is made of. */

export type Phrase = string | PhrasingContent;

export function root(...children: BlockContent[]): Root {
  return { type: 'root', children };
}

export function heading(depth: Heading['depth'], text: string): Heading {
  return { type: 'heading', depth, children: phrases([text]) };
}

export function paragraph(...content: Phrase[]): Paragraph {
  return { type: 'paragraph', children: phrases(content) };
}

export function quote(text: string): BlockContent {
  return { type: 'blockquote', children: [paragraph(text)] };
}

export function link(url: string, text: string): Link {
  return { type: 'link', url, children: phrases([text]) };
}

export function code(value: string): InlineCode {
  return { type: 'inlineCode', value };
}

/** A bulleted list without empty lines between its items. */
export function list(items: ReadonlyArray<readonly Phrase[]>): List {
  return {
    type: 'list',
    ordered: false,
    spread: false,
    children: items.map((item) => ({
      type: 'listItem',
      spread: false,
      children: [paragraph(...item)],
    })),
  };
}

export function table(
  columns: readonly string[],
  rows: ReadonlyArray<ReadonlyArray<Phrase | readonly Phrase[]>>,
): Table {
  return {
    type: 'table',
    children: [columns, ...rows].map((cells) => ({
      type: 'tableRow',
      children: cells.map((cell) => ({
        type: 'tableCell',
        children: phrases(isPhrases(cell) ? cell : [cell]),
      })),
    })),
  };
}

/** Phrases with something between each two. */
export function joinPhrases(items: readonly Phrase[], gap: string): Phrase[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [gap, item]));
}

function isPhrases(cell: Phrase | readonly Phrase[]): cell is readonly Phrase[] {
  return Array.isArray(cell);
}

// Text beside text is joined: a writer looks at the neighbours of a character to decide how to escape it.
function phrases(content: readonly Phrase[]): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  for (const phrase of content) {
    const last = nodes.at(-1);
    if (typeof phrase !== 'string') nodes.push(phrase);
    else if (last?.type === 'text') last.value += phrase;
    else if (phrase !== '') nodes.push({ type: 'text', value: phrase });
  }
  return nodes;
}
