import type { BlockContent } from 'mdast';
import { toEventTitle, toFactsLine } from '#lib/events/view/event-facts.ts';
import { eventPageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { shortenText } from '#lib/events/words/clean-text.ts';
import { heading, link, type Phrase, paragraph } from '#lib/representations/markdown/nodes.ts';
import type { MailedEvent } from '../digest/told.ts';

const titleLengthMax = 200;
const factsLengthMax = 400;

/** An event in a mail: its name, which leads to its page, and a line about it. */
export function toEventBlocks(
  event: MailedEvent,
  site: Site,
  line: readonly Phrase[] = [shortenText(toFactsLine(event), factsLengthMax)],
): BlockContent[] {
  return [heading(3, link(eventPageUrl(site, event.slug), toMailTitle(event))), paragraph(...line)];
}

/** `Lantern Jam and 2 more events`. */
export function toEventsSubject(events: readonly MailedEvent[]): string {
  const [first] = events;
  if (first === undefined) return '';
  const more = events.length - 1;
  if (more === 0) return toMailTitle(first);
  return `${shortenText(toMailTitle(first), 100)} and ${more === 1 ? '1 more event' : `${more} more events`}`;
}

export function toMailTitle(event: Pick<MailedEvent, 'name' | 'slug'>): string {
  return shortenText(toEventTitle(event), titleLengthMax);
}
