import type { Site } from '#lib/events/view/site-urls.ts';
import { toOneLine } from '#lib/events/words/clean-text.ts';
import type { YieldWhenDue } from '#lib/http/timing/time-slices.ts';

export type FeedOptions = Readonly<{
  site: Site;
  /** The requested URL, including its query. */
  selfUrl: string;
  /** The filters that the events match, in words. */
  filters?: string;
  /** When the events last changed, Unix time in ms. */
  changedAtMs: number;
  /** Awaited between events, since parsing their Markdown takes time. */
  yieldWhenDue?: YieldWhenDue;
}>;

/** Of the description and the requirements of an event, each. */
export const feedTextLengthMax = 2_000;

/** `Marquee: newly announced events (Online, Games)`. */
export function toFeedTitle(site: Site, filters: string): string {
  const title = `${toOneLine(site.name)}: newly announced events`;
  return filters === '' ? title : `${title} (${toOneLine(filters)})`;
}
