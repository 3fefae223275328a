import type { ShownChange } from '#lib/events/view/shown-changes.ts';
import { eventPageUrl, pageMarkdownUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { shortenText } from '#lib/events/words/clean-text.ts';
import { toLinksLine } from '../alternate-links.ts';
import { heading, link, type Phrase, paragraph, root, table } from '../nodes.ts';
import { pageRowsMax, writeFittingMarkdown } from '../write-markdown.ts';

const textLengthMax = 160;

/** `/changes` as a Markdown page: what has changed in the last thirty days. */
export function toChangesMarkdown(
  changes: readonly ShownChange[],
  { site }: Readonly<{ site: Site }>,
): string {
  const toTree = (rows: number) =>
    root(
      heading(1, 'What has changed'),
      toLinksLine(site, [
        link(pageUrl(site, 'changes'), 'Page'),
        link(pageMarkdownUrl(site, 'changes'), 'Markdown'),
        link(pageUrl(site, 'changesRss'), 'RSS'),
        link(pageUrl(site, 'changesList'), 'JSON'),
      ]),
      paragraph(
        `${changes.length} changes in the last thirty days${rows < changes.length ? `; the newest ${rows}` : ''}, newest first.`,
      ),
      ...(changes.length === 0
        ? []
        : [table(['Day', 'Event', 'What has changed'], changes.slice(0, rows).map(toRow))]),
    );
  const toRow = ({ day, title, words, event }: ShownChange): Phrase[] => {
    const name = shortenText(title, textLengthMax);
    return [
      day,
      event === null ? name : link(eventPageUrl(site, event.slug), name),
      shortenText(words, textLengthMax),
    ];
  };
  return writeFittingMarkdown({ toTree, sizeMax: Math.min(changes.length, pageRowsMax) });
}
