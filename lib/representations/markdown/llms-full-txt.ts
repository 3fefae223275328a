import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toSections } from '#lib/events/view/directory/sections.ts';
import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { toOneLine } from '#lib/events/words/clean-text.ts';
import type { YieldWhenDue } from '#lib/http/time-slices.ts';
import { heading, link, paragraph, quote, root } from './nodes.ts';
import { toEventMarkdown } from './pages/event.ts';
import { writeMarkdown } from './write-markdown.ts';

export type FullTextOptions = Readonly<{
  site: Site;
  /** Pages in Markdown that precede the events, each written when it is due. */
  pages: readonly (() => string)[];
  /** When the events last changed, Unix time in ms. */
  changedAtMs: number;
  /** Awaited between events, since writing one takes time. */
  yieldWhenDue?: YieldWhenDue;
}>;

/** In characters; the events beyond it are omitted. About 250,000 tokens, the most that a large model can read. */
export const fullTextLengthMax = 1_000_000;

/**
 * The whole site as one text for language models: its pages, then every event as on its own page, current
 * ones first and past ones last. Pages are separated by a thematic break.
 */
export async function toLlmsFullTxt(
  events: readonly MarqueeEvent[],
  { site, pages, changedAtMs, yieldWhenDue }: FullTextOptions,
): Promise<string> {
  const { onNow, comingUp, openEnded, past } = toSections(events);
  const ordered = [...onNow, ...comingUp, ...openEnded, ...past];
  const texts: string[] = [];
  let length = 0;
  let shown = 0;
  for (const writePage of pages) {
    const text = writePage();
    length += text.length;
    texts.push(text);
    await yieldWhenDue?.();
  }
  for (const event of ordered) {
    const text = toEventMarkdown(event, { site });
    if (length + text.length > fullTextLengthMax) break;
    length += text.length;
    texts.push(text);
    shown++;
    await yieldWhenDue?.();
  }
  const opening = toOpening({ site, changedAtMs, shown, hidden: ordered.length - shown });
  return [opening, ...texts].join('\n---\n\n');
}

type Opening = Readonly<{ site: Site; changedAtMs: number; shown: number; hidden: number }>;

function toOpening({ site, changedAtMs, shown, hidden }: Opening): string {
  const omitted = hidden === 0 ? '' : ` ${hidden} events that ended long ago are omitted.`;
  return writeMarkdown(
    root(
      heading(1, `${toOneLine(site.name)}: full text`),
      quote('The documentation and all events of the directory, in one file.'),
      paragraph(
        `${shown} events. Last changed ${new Date(changedAtMs).toISOString()}.${omitted} `,
        link(pageUrl(site, 'list'), 'All events as JSON'),
        ' · Index: ',
        link(pageUrl(site, 'llmsTxt'), '/llms.txt'),
      ),
    ),
  );
}
