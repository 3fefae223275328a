import { toString as toNodeText } from 'mdast-util-to-string';
import { shortenText, toOneLine } from '#lib/events/words/clean-text.ts';
import { toSafeTree } from './safe/safe-tree.ts';

/** Most sentences are shorter, and four lines of a phone are enough. */
const lengthMax = 140;
/** The first paragraph is rarely longer, whatever comes before it. */
const sourceLengthMax = 2_000;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** What a text is about in one line: the first sentence of its first paragraph; null if it has none. */
export function toSummary(markdown: string | null): string | null {
  const { tree } = toSafeTree(markdown ?? '', { lengthMax: sourceLengthMax });
  const paragraph = tree.children.find(({ type }) => type === 'paragraph');
  const text = paragraph === undefined ? '' : toOneLine(toNodeText(paragraph));
  const [first] = sentences.segment(text);
  return shortenText(first?.segment.trim() ?? '', lengthMax) || null;
}
