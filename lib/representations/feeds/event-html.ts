import { toHtml } from 'hast-util-to-html';
import type { BlockContent } from 'mdast';
import { toHast } from 'mdast-util-to-hast';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toFactsLine, toScheduleInWords } from '#lib/events/view/event-facts.ts';
import { heading, list, paragraph, root } from '../markdown/nodes.ts';
import { toSafeTree } from '../markdown/safe/safe-tree.ts';
import { toDetailsInWords } from './feed.ts';

/**
 * An event as HTML, for feed readers: facts, description, programme and requirements. Its links are absolute.
 * @param lengthMax of the Markdown, in characters, for description and requirements each.
 */
export function toEventHtml(event: MarqueeEvent, lengthMax: number): string {
  const { description, schedule, requirements } = event;
  const details = toDetailsInWords(event);
  const tree = root(
    paragraph(toFactsLine(event)),
    ...(details === '' ? [] : [paragraph(details)]),
    ...toBlocks(description, lengthMax),
    ...(schedule === null ? [] : [list(toScheduleInWords(schedule).map((line) => [line]))]),
    ...toSection('Requirements', toBlocks(requirements, lengthMax)),
  );
  return toHtml(toHast(tree));
}

function toBlocks(markdown: string | null, lengthMax: number): BlockContent[] {
  const { tree, isCut } = toSafeTree(markdown ?? '', lengthMax);
  return isCut ? [...tree.children, paragraph('…')] : tree.children;
}

function toSection(title: string, blocks: readonly BlockContent[]): BlockContent[] {
  return blocks.length === 0 ? [] : [heading(3, title), ...blocks];
}
