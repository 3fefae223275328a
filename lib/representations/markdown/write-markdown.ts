import type { Link, Root, Text } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkStringify, { type Options } from 'remark-stringify';
import { unified } from 'unified';

/** In characters: some agents truncate pages at 50,000. */
const pageLengthMax = 49_000;

/** More rows of a table never fit, and writing 10,000 of them takes a second. */
export const pageRowsMax = 500;

type Handle = NonNullable<NonNullable<Options['handlers']>['link']>;

// The default handler writes `\&` in URLs, and agents that read Markdown as plain text would copy the
// backslash.
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

/**
 * The default handler looks for each of some seventy characters that may need a backslash, most of which no text has:
 * without those, an event is written in half the time.
 */
const writeText: NonNullable<NonNullable<Options['handlers']>['text']> = (
  { value }: Text,
  _: unknown,
  state,
  info,
) => {
  const { unsafe } = state;
  state.unsafe = unsafe.filter(({ character }) => value.includes(character));
  const text = state.safe(value, info);
  state.unsafe = unsafe;
  return text;
};

const writer = unified()
  // No padding: one long name would widen every row.
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, {
    bullet: '-',
    rule: '-',
    listItemIndent: 'one',
    handlers: { link: writeLink, text: writeText },
    fences: true,
  })
  .freeze();

/** Serializes a tree as Markdown (CommonMark with GFM), with LF line endings. */
export function writeMarkdown(tree: Root): string {
  return writer.stringify(tree);
}

type FittingPage = Readonly<{
  /** Builds the page with as many rows or characters as `size` allows. */
  toTree: (size: number) => Root;
  sizeMax: number;
}>;

/** Serializes a page, halving its size until it fits into `pageLengthMax`. */
export function writeFittingMarkdown({ toTree, sizeMax }: FittingPage): string {
  let size = sizeMax;
  let text = writeMarkdown(toTree(size));
  while (text.length > pageLengthMax && size > 0) {
    size = Math.floor(size / 2);
    text = writeMarkdown(toTree(size));
  }
  return text;
}

// A link destination (CommonMark §6.3) without Markdown syntax.
function toDestination(url: string): string {
  return url
    .replace(/[\s()<>|\\`]/g, (character) => encodeCharacter(character))
    .replace(/&(?=#?\w+;)/g, '&amp;');
}

function encodeCharacter(character: string): string {
  const octets = [...new TextEncoder().encode(character)];
  return octets.map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
