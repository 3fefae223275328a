import { parseJson } from '#lib/http/json-value.ts';
import { isCalendarDate } from '../model/dates.ts';
import type { EventState, MarqueeEvent } from '../model/schema.ts';
import { toDatesInWords } from '../words/dates-in-words.ts';
import { toEventTitle, toPlace } from './event-facts.ts';

/** What the browser stores of a saved event: enough to show what has changed since. */
export type SavedEvent = Readonly<{
  id: string;
  slug: string;
  name: string;
  startDate: string;
  endDate: string | null;
  state: EventState;
  place: string | null;
}>;

type SavableEvent = Pick<
  MarqueeEvent,
  'id' | 'slug' | 'name' | 'startDate' | 'endDate' | 'state' | 'inPerson' | 'place'
>;

/** The most ids that one API request accepts. */
const savedMax = 100;
/** Of how many events one is reminded by mail. */
export const remindersMax = 50;

/** The part of an event that the browser stores. */
export function toSavedEvent(event: SavableEvent): SavedEvent {
  const { id, slug, startDate, endDate, state } = event;
  return { id, slug, name: toEventTitle(event), startDate, endDate, state, place: toPlace(event) };
}

/** Parses the saved list; anything invalid is dropped. */
export function parseSavedEvents(text: string | null): SavedEvent[] {
  const list = parseJson(text ?? '[]');
  if (!Array.isArray(list)) return [];
  const events = new Map<string, SavedEvent>();
  for (const item of list) {
    if (isSavedEvent(item)) events.set(item.id, item);
  }
  return [...events.values()].slice(-savedMax);
}

/** The ids that a link to a list names: `?id=a,b`. Anything else is dropped. */
export function parseSharedIds(search: string): string[] {
  const ids = new URLSearchParams(search).getAll('id').flatMap((value) => value.split(','));
  return [...new Set(ids.filter((id) => /^[\w-]{1,100}$/.test(id)))].slice(0, savedMax);
}

/** The list with an event, which becomes its last; the first are dropped if there are too many. */
export function addSavedEvent(list: readonly SavedEvent[], event: SavedEvent): SavedEvent[] {
  return [...removeSavedEvent(list, event.id), event].slice(-savedMax);
}

/** The list without an event. */
export function removeSavedEvent(list: readonly SavedEvent[], id: string): SavedEvent[] {
  return list.filter((saved) => saved.id !== id);
}

/** The list with an event as it is now, in its place. */
export function updateSavedEvent(list: readonly SavedEvent[], event: SavedEvent): SavedEvent[] {
  return list.map((saved) => (saved.id === event.id ? event : saved));
}

function isSavedEvent(item: unknown): item is SavedEvent {
  if (typeof item !== 'object' || item === null) return false;
  const { id, slug, name, startDate, endDate, state, place }: Record<string, unknown> = { ...item };
  return (
    isShortText(id) &&
    /^[\w-]+$/.test(id) &&
    isShortText(slug) &&
    isShortText(name) &&
    isDate(startDate) &&
    (endDate === null || isDate(endDate)) &&
    isState(state) &&
    (place === null || isShortText(place))
  );
}

// Not those of the schema, which would bring zod into the browser.
const states: Readonly<Record<EventState, true>> = {
  scheduled: true,
  cancelled: true,
  postponed: true,
  'moved-online': true,
};

const textLengthMax = 10_000;

function isState(value: unknown): value is EventState {
  return typeof value === 'string' && Object.hasOwn(states, value);
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= textLengthMax;
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && isCalendarDate(value);
}

const stateChanges: Readonly<Record<EventState, string>> = {
  scheduled: 'It takes place after all.',
  cancelled: 'It was cancelled.',
  postponed: 'It was postponed.',
  'moved-online': 'It was moved online.',
};

/** What changed about an event since it was saved, one sentence each. */
export function listChanges(saved: SavedEvent, now: SavedEvent): string[] {
  const changes: string[] = [];
  if (saved.state !== now.state) changes.push(stateChanges[now.state]);
  if (saved.startDate !== now.startDate || saved.endDate !== now.endDate) {
    changes.push(`New dates: ${toDatesInWords(now)} instead of ${toDatesInWords(saved)}.`);
  }
  // An event that was moved online has no place.
  if (saved.place !== now.place && now.state !== 'moved-online') {
    changes.push(toPlaceChange(saved.place, now.place));
  }
  if (saved.name !== now.name) changes.push(`It was called “${saved.name}”.`);
  return changes;
}

function toPlaceChange(before: string | null, now: string | null): string {
  if (now === null) return `It is no longer at ${before}.`;
  return before === null ? `New place: ${now}.` : `New place: ${now} instead of ${before}.`;
}
