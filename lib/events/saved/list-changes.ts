import type { EventState } from '../model/schema.ts';
import { toDatesInWords } from '../words/dates-in-words.ts';
import type { SavedEvent } from './saved-events.ts';

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
