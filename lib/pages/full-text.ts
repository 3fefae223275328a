import { toDocsMarkdown } from '#lib/docs/docs-markdown.ts';
import { docsNames, loadDocsPage } from '#lib/docs/pages.ts';
import type { Pace } from '#lib/events/pacer.ts';
import type { EventsSnapshot } from '#lib/events/snapshot.ts';
import { toLlmsFullTxt } from '#lib/formats/llms-full-txt.ts';
import type { Site } from '#lib/formats/site.ts';

/** All of the documentation and all events of a snapshot as one text: `/llms-full.txt`. */
export function writeFullText(
  { events, generatedAt }: EventsSnapshot,
  { site, pace }: Readonly<{ site: Site; pace: Pace }>,
): Promise<string> {
  const pages = docsNames.map((name) => () => {
    const page = loadDocsPage(name, site);
    return page === undefined ? '' : toDocsMarkdown(page, site);
  });
  return toLlmsFullTxt(events, { site, pages, generatedAt, pace });
}
