import type { FieldIn } from '../model/field-lists.ts';
import { toInPersonDays } from '../model/in-person-days.ts';
import type { EventFormat, EventInPerson, EventState, MarqueeEvent } from '../model/schema.ts';
import type { ScheduleEntry } from '../model/time-and-place.ts';
import { shortenText, toOneLine } from '../words/clean-text.ts';
import { toHours, toZoneSuffix } from '../words/clock-words.ts';
import { toCountryName } from '../words/countries.ts';
import {
  toDatesInWords,
  toDayInWords,
  toFullDay,
  toTimedDaysInWords,
} from '../words/dates-in-words.ts';
import { formatWords, stateWords } from '../words/filter-words.ts';
import { foldText } from '../words/fold-text.ts';

/** An event's name on a single line; its slug if the name has no visible text. */
export function toEventTitle(event: Pick<MarqueeEvent, 'name' | 'slug'>): string {
  return toOneLine(event.name) || toOneLine(event.slug) || 'Untitled';
}

/** How an event differs from what was announced, in words; null if it does not. */
export function toStateInWords(state: EventState): string | null {
  return state === 'scheduled' ? null : stateWords[state];
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

type PlacedEvent = Pick<MarqueeEvent, 'inPerson' | 'place'>;

/**
 * Where an event takes place, by name and city; null if it is online, or the place is unknown.
 */
export function toPlace({ inPerson, place }: PlacedEvent): string | null {
  const name = toOneLine(inPerson?.location ?? '');
  return joinParts([name, place?.city, place?.region]) || null;
}

/** The place with its address and country, for maps and calendars; null where there is none. */
export function toFullPlace({ inPerson, place }: PlacedEvent): string | null {
  const name = toOneLine(inPerson?.location ?? '');
  if (place === null) return name || null;
  const { address, city, region, country } = place;
  // The city stands behind the address.
  const ending = `, ${city}`;
  const isRepeated = address !== null && city !== null && name.endsWith(ending);
  const shortName = isRepeated ? name.slice(0, -ending.length) : name;
  return joinParts([shortName, address, city, region, country && toCountryName(country)]) || null;
}

/** An event's address with city and country, without the name of its place; null if it is not known. */
export function toAddress({ place }: PlacedEvent): string | null {
  if (place === null) return null;
  const { address, city, region, country } = place;
  if (address === null && country === null) return null;
  return joinParts([address, city, region, country && toCountryName(country)]) || null;
}

/** `Market Hall, Ghent` has its city already, but `Company Hall` is not in NY. */
function joinParts(parts: readonly (string | null | undefined)[]): string {
  const joined: string[] = [];
  let said = '';
  for (const part of parts) {
    const text = toOneLine(part ?? '');
    if (text === '') continue;
    const words = toPaddedWords(text);
    if (said.includes(words)) continue;
    joined.push(text);
    said += `\n${words}`;
  }
  return joined.join(', ');
}

function toPaddedWords(text: string): string {
  return ` ${foldText(text)
    .split(/[\s\p{P}]+/u)
    .filter(Boolean)
    .join(' ')} `;
}

/** Where an event takes place in words: its place, or that it is online; null if both are unknown. */
export function toWhereInWords(event: PlacedEvent & Pick<MarqueeEvent, 'format'>): string | null {
  return toPlace(event) ?? toFormatInWords(event.format);
}

/** The days of an event's in-person part; null if they are unknown. */
export function toInPersonDatesInWords(inPerson: EventInPerson | null): string | null {
  const { start = null, end = null } = inPerson ?? {};
  if (start !== null && end !== null) return toDatesInWords({ startDate: start, endDate: end });
  if (start !== null) return `from ${toDayInWords(start)}`;
  return end === null ? null : `until ${toDayInWords(end)}`;
}

/** Days and times: `12 Dec 2026, 18:30–21:00`, `12 Dec, 18:30 – 14 Dec 2026, 16:00`. */
export function toTimesInWords(
  event: PlacedEvent &
    Pick<MarqueeEvent, 'startDate' | 'endDate' | 'startTime' | 'endTime' | 'timeZone'>,
): string {
  const days = toDatesInWords(event);
  const hours = toHours(event);
  if (hours === null) return days;
  const { startDate, endDate, startTime, endTime } = event;
  const zone = toZoneSuffix(event);
  if (endDate === null || endDate <= startDate) return `${days}, ${hours}${zone}`;
  return toTimedDaysInWords({
    startDate,
    endDate,
    startTime: startTime === null ? '' : `${startTime}${endTime === null ? zone : ''}`,
    endTime: endTime === null ? '' : `${endTime}${zone}`,
  });
}

/** A programme as lines: `Sat 5 Dec, 10:00 Doors`, without the day if all are on the first one. */
export function toScheduleInWords(schedule: readonly ScheduleEntry[]): string[] {
  const hasDays = new Set(schedule.map(({ day }) => day)).size > 1;
  return schedule.map(({ day, time, title }) => {
    const text = `${time} ${toOneLine(title)}`;
    return hasDays ? `${toFullDay(day)}, ${text}` : text;
  });
}

/** The fields that an event's facts are made of. */
export type FactsEvent = Pick<MarqueeEvent, FieldIn<'facts'>>;

/**
 * State, days and times, format, place, organizer and price: `12 Dec 2026, 18:30–21:00 · In person · Lisbon · by
 * Lantern Club · Free`, or `1–31 Dec 2026 · Online · In person 12–14 Dec 2026 · Lisbon`. Independent of the current day.
 */
export function toFactsLine(event: FactsEvent): string {
  const place = toPlace(event);
  const inPersonDays = toInPersonDays(event);
  const organizer = toOneLine(event.organizer?.name ?? '');
  const price = toOneLine(event.price ?? '');
  const facts = [
    toStateInWords(event.state),
    toTimesInWords(event),
    ...(inPersonDays === null
      ? [event.state === 'moved-online' ? null : toFormatInWords(event.format)]
      : [
          event.format === 'both' ? formatWords.online : null,
          `In person ${toDatesInWords(inPersonDays)}`,
        ]),
    place === null ? null : shortenText(place, 200),
    organizer === '' ? null : `by ${shortenText(organizer, 100)}`,
    price === '' ? null : shortenText(price, 60),
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}
