import type { Link, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkStringify, { type Options } from 'remark-stringify';
import { unified } from 'unified';

/** A page is shorter than this: some agents read no further. */
export const pageLengthMax = 49_000;

type Handle = NonNullable<NonNullable<Options['handlers']>['link']>;

// The usual handler writes `\&` in addresses, which agents that read Markdown as text copy with its
// backslash. Here an address never needs one.
const writeLink: Handle = Object.assign(
  (node: Link, _: unknown, state: Parameters<Handle>[2], info: Parameters<Handle>[3]): string => {
    const leaveLink = state.enter('link');
    const leaveLabel = state.enter('label');
    const around = { ...state.createTracker(info).current(), before: '[', after: ']' };
    const label = state.containerPhrasing(node, around);
    leaveLabel();
    leaveLink();
    return `[${label}](${toDestination(node.url)})`;
  },
  { peek: () => '[' },
);

const writer = unified()
  // Columns are not padded: one long name would widen every row.
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, {
    bullet: '-',
    rule: '-',
    listItemIndent: 'one',
    handlers: { link: writeLink },
    fences: true,
  })
  .freeze();

/** Writes a tree as Markdown (CommonMark with GFM), with line feeds alone. */
export function writeMarkdown(tree: Root): string {
  return writer.stringify(tree);
}

type Fit = Readonly<{
  /** Makes the page with as much of its content as `size` allows. */
  toTree: (size: number) => Root;
  sizeMax: number;
}>;

/** Writes the largest page that stays within `pageLengthMax`, by halving what is put in. */
export function writeFittingMarkdown({ toTree, sizeMax }: Fit): string {
  let size = sizeMax;
  let text = writeMarkdown(toTree(size));
  while (text.length > pageLengthMax && size > 0) {
    size = Math.floor(size / 2);
    text = writeMarkdown(toTree(size));
  }
  return text;
}

// A link destination (CommonMark §6.3) in which nothing is left that means something to Markdown.
function toDestination(url: string): string {
  return url
    .replace(/[\s()<>|\\`]/g, (character) => encodeCharacter(character))
    .replace(/&(?=#?\w+;)/g, '&amp;');
}

function encodeCharacter(character: string): string {
  const octets = [...new TextEncoder().encode(character)];
  return octets.map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
