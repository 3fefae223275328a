import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import type { YieldWhenDue } from '#lib/http/time-slices.ts';
import { docsNames, loadDocsPage, toDocsMarkdown } from '#lib/representations/docs/pages.ts';
import { toLlmsFullTxt } from '#lib/representations/markdown/llms-full-txt.ts';

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
