import type {
  BlockContent,
  Code,
  Heading,
  InlineCode,
  Link,
  List,
  Paragraph,
  PhrasingContent,
  Root,
  Table,
} from 'mdast';

/** Constructors for the mdast nodes of generated Markdown. */

export type Phrase = string | PhrasingContent;

export function root(...children: BlockContent[]): Root {
  return { type: 'root', children };
}

export function heading(depth: Heading['depth'], ...content: Phrase[]): Heading {
  return { type: 'heading', depth, children: phrases(content) };
}

export function paragraph(...content: Phrase[]): Paragraph {
  return { type: 'paragraph', children: phrases(content) };
}

export function quote(...content: Phrase[]): BlockContent {
  return { type: 'blockquote', children: [paragraph(...content)] };
}

export function link(url: string, text: Phrase): Link {
  return { type: 'link', url, children: phrases([text]) };
}

export function code(value: string): InlineCode {
  return { type: 'inlineCode', value };
}

/** A block of code. */
export function fence(lang: string | null, value: string): Code {
  return { type: 'code', lang, value };
}

/** The phrases of a message in which code stands between backticks. */
export function messagePhrases(message: string): Phrase[] {
  const parts = message.split('`');
  // A backtick without a partner is one that the client sent.
  if (parts.length % 2 === 0) return [message];
  return parts.map((part, index) => (index % 2 === 1 && part !== '' ? code(part) : part));
}

/** A tight bulleted list. */
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

/** Joins phrases with a separator. */
export function joinPhrases(items: readonly Phrase[], separator: string): Phrase[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
}

function isPhrases(cell: Phrase | readonly Phrase[]): cell is readonly Phrase[] {
  return Array.isArray(cell);
}

// Adjacent texts are merged, since the serializer looks at neighbouring characters to decide on escaping.
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
