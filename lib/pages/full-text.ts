import { toDocsMarkdown } from '#lib/docs/docs-markdown.ts';
import { docsPages } from '#lib/docs/pages.ts';
import type { Pace } from '#lib/events/pacer.ts';
import type { EventsSnapshot } from '#lib/events/snapshot.ts';
import { toLlmsFullTxt } from '#lib/formats/llms-full-txt.ts';
import type { Site } from '#lib/formats/site.ts';

/** All of the documentation and all events of a snapshot as one text: `/llms-full.txt`. */
export function writeFullText(
  { events, generatedAt }: EventsSnapshot,
  { site, pace }: Readonly<{ site: Site; pace: Pace }>,
): Promise<string> {
  const pages = docsPages(site).map((page) => toDocsMarkdown(page, site));
  return toLlmsFullTxt(events, { site, pages, generatedAt, pace });
}
