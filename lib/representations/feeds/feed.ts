import type { EventsHistory } from '#lib/events/changes/history.ts';
import { type Details, listDetails } from '#lib/events/model/field-lists.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toFactsLine, toScheduleInWords } from '#lib/events/view/event-facts.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { toOneLine } from '#lib/events/words/clean-text.ts';
import type { YieldWhenDue } from '#lib/http/time-slices.ts';
import { toPlainText } from '../markdown/safe/plain-text.ts';

export type FeedOptions = Readonly<{
  site: Site;
  /** The requested URL, including its query. */
  selfUrl: string;
  /** The WebSub hub that is told of changes. */
  hub?: string | null;
  /** The filters that the events match, in words. */
  filters?: string;
  /** When the events last changed, Unix time in ms. */
  changedAtMs: number;
  /** The last change of each event that readers should know of, by event id. */
  lastChanges?: EventsHistory['lastChanges'];
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

/**
 * An event as plain text, for feeds and calendars: facts, description, programme and requirements, separated by
 * blank lines.
 * @param lengthMax in characters, for description and requirements each.
 */
export function toEventText(event: MarqueeEvent, lengthMax: number): string {
  const description = toPlainText(event.description ?? '', lengthMax);
  const requirements = toPlainText(event.requirements ?? '', lengthMax);
  const parts = [toFactsLine(event), toDetailsInWords(event), description];
  if (event.schedule !== null) parts.push(toScheduleInWords(event.schedule).join('\n'));
  if (requirements !== '') parts.push(`Requirements: ${requirements}`);
  return parts.filter((part) => part !== '').join('\n\n');
}

/** `Series: Things that Glow · Age: 13–18`; it may be empty. */
export function toDetailsInWords(event: Details): string {
  return listDetails(event, 'feedText')
    .map(({ label, value }) => `${label}: ${toOneLine(String(value))}`)
    .join(' · ');
}
