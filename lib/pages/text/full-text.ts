import { toDocsMarkdown } from '#lib/docs/docs-markdown.ts';
import { docsNames, loadDocsPage } from '#lib/docs/pages.ts';
import type { EventsSnapshot } from '#lib/events/store/snapshot.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { toLlmsFullTxt } from '#lib/markdown/llms-full-txt.ts';
import type { YieldWhenDue } from '#lib/timing/time-slices.ts';

/** All of the documentation and all events of a snapshot as one text: `/llms-full.txt`. */
export function writeFullText(
  { events, changedAtMs }: EventsSnapshot,
  { site, yieldWhenDue }: Readonly<{ site: Site; yieldWhenDue: YieldWhenDue }>,
): Promise<string> {
  const pages = docsNames.map((name) => () => {
    const page = loadDocsPage(name, site);
    return page === undefined ? '' : toDocsMarkdown(page, site);
  });
  return toLlmsFullTxt(events, { site, pages, changedAtMs, yieldWhenDue });
}
