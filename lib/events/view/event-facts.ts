import type { EventFormat, EventInPerson, MarqueeEvent } from '../model/schema.ts';
import { shortenText, toOneLine } from './clean-text.ts';
import { toDatesInWords, toDayInWords } from './dates-in-words.ts';

/** Facts of an event in words, the same in every form. */

const formatWords: Readonly<Record<EventFormat, string>> = {
  'in-person': 'In person',
  online: 'Online',
  both: 'In person and online',
};

/** An event's name in a single line; its slug, should nothing legible be left of the name. */
export function toEventTitle(event: Pick<MarqueeEvent, 'name' | 'slug'>): string {
  return toOneLine(event.name) || toOneLine(event.slug) || 'Untitled';
}

/** How an event is held; null where its table does not say. */
export function toFormatInWords(format: EventFormat | null): string | null {
  return format === null ? null : formatWords[format];
}

/** Where people meet; null for an online event and for a place that is not known. */
export function toPlace(event: Pick<MarqueeEvent, 'inPerson'>): string | null {
  return toOneLine(event.inPerson?.location ?? '') || null;
}

/** The days on which people meet in one place; null where they are not known. */
export function toInPersonDatesInWords(inPerson: EventInPerson | null): string | null {
  const { start = null, end = null } = inPerson ?? {};
  if (start !== null && end !== null) return toDatesInWords({ startDate: start, endDate: end });
  if (start !== null) return `from ${toDayInWords(start)}`;
  return end === null ? null : `until ${toDayInWords(end)}`;
}

/** When, how and where in one line: `12–14 Dec 2026 · In person · Lisbon`. Does not change with the day. */
export function toFactsLine(event: MarqueeEvent): string {
  const place = toPlace(event);
  const facts = [
    toDatesInWords(event),
    toFormatInWords(event.format),
    place === null ? null : shortenText(place, 200),
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}
