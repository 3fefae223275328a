import type { EventFormat, EventInPerson, MarqueeEvent } from '../model/schema.ts';
import { shortenText, toOneLine } from './clean-text.ts';
import { toDatesInWords, toDayInWords } from './dates-in-words.ts';

const formatWords: Readonly<Record<EventFormat, string>> = {
  'in-person': 'In person',
  online: 'Online',
  both: 'In person and online',
};

/** An event's name on a single line; its slug if the name has no visible text. */
export function toEventTitle(event: Pick<MarqueeEvent, 'name' | 'slug'>): string {
  return toOneLine(event.name) || toOneLine(event.slug) || 'Untitled';
}

/** An event's format in words; null if it is unknown. */
export function toFormatInWords(format: EventFormat | null): string | null {
  return format === null ? null : formatWords[format];
}

/** Where an event takes place; null if it is online, was moved online, or the place is unknown. */
export function toPlace(event: Pick<MarqueeEvent, 'state' | 'inPerson'>): string | null {
  if (event.state === 'moved-online') return null;
  return toOneLine(event.inPerson?.location ?? '') || null;
}

/** The days of an event's in-person part; null if they are unknown. */
export function toInPersonDatesInWords(inPerson: EventInPerson | null): string | null {
  const { start = null, end = null } = inPerson ?? {};
  if (start !== null && end !== null) return toDatesInWords({ startDate: start, endDate: end });
  if (start !== null) return `from ${toDayInWords(start)}`;
  return end === null ? null : `until ${toDayInWords(end)}`;
}

/** Dates, format and place: `12–14 Dec 2026 · In person · Lisbon`. Independent of the current day. */
export function toFactsLine(event: MarqueeEvent): string {
  const place = toPlace(event);
  const facts = [
    toDatesInWords(event),
    toFormatInWords(event.format),
    place === null ? null : shortenText(place, 200),
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}
