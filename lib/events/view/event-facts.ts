import type { EventFormat, EventInPerson, EventState, MarqueeEvent } from '../model/schema.ts';
import { shortenText, toOneLine } from '../words/clean-text.ts';
import { toDatesInWords, toDayInWords, toInPersonDays } from '../words/dates-in-words.ts';

const formatWords: Readonly<Record<EventFormat, string>> = {
  'in-person': 'In person',
  online: 'Online',
  both: 'In person and online',
};

const stateWords: Readonly<Record<EventState, string | null>> = {
  scheduled: null,
  cancelled: 'Cancelled',
  postponed: 'Postponed',
  'moved-online': 'Moved online',
};

/** An event's name on a single line; its slug if the name has no visible text. */
export function toEventTitle(event: Pick<MarqueeEvent, 'name' | 'slug'>): string {
  return toOneLine(event.name) || toOneLine(event.slug) || 'Untitled';
}

/** How an event differs from what was announced, in words; null if it does not. */
export function toStateInWords(state: EventState): string | null {
  return stateWords[state];
}

/** An event's title that says if it does not take place as announced: `Cancelled: Lantern Jam`. */
export function toTitleWithState(event: Pick<MarqueeEvent, 'name' | 'slug' | 'state'>): string {
  const state = toStateInWords(event.state);
  return state === null ? toEventTitle(event) : `${state}: ${toEventTitle(event)}`;
}

/** An event's format in words; null if it is unknown. */
export function toFormatInWords(format: EventFormat | null): string | null {
  return format === null ? null : formatWords[format];
}

/** Where an event takes place; null if it is online, or the place is unknown. */
export function toPlace(event: Pick<MarqueeEvent, 'inPerson'>): string | null {
  return toOneLine(event.inPerson?.location ?? '') || null;
}

/** Where an event takes place in words: its place, or that it is online; null if both are unknown. */
export function toWhereInWords(event: Pick<MarqueeEvent, 'format' | 'inPerson'>): string | null {
  return toPlace(event) ?? toFormatInWords(event.format);
}

/** The days of an event's in-person part; null if they are unknown. */
export function toInPersonDatesInWords(inPerson: EventInPerson | null): string | null {
  const { start = null, end = null } = inPerson ?? {};
  if (start !== null && end !== null) return toDatesInWords({ startDate: start, endDate: end });
  if (start !== null) return `from ${toDayInWords(start)}`;
  return end === null ? null : `until ${toDayInWords(end)}`;
}

/**
 * State, dates, format and place: `12–14 Dec 2026 · In person · Lisbon`, or
 * `1–31 Dec 2026 · Online · In person 12–14 Dec 2026 · Lisbon`. Independent of the current day.
 */
export function toFactsLine(
  event: Pick<MarqueeEvent, 'state' | 'startDate' | 'endDate' | 'format' | 'inPerson'>,
): string {
  const place = toPlace(event);
  const inPersonDays = toInPersonDays(event);
  const facts = [
    toStateInWords(event.state),
    toDatesInWords(event),
    ...(inPersonDays === null
      ? [event.state === 'moved-online' ? null : toFormatInWords(event.format)]
      : [
          event.format === 'both' ? formatWords.online : null,
          `In person ${toDatesInWords(inPersonDays)}`,
        ]),
    place === null ? null : shortenText(place, 200),
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}
