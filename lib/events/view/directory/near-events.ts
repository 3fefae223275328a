import { findNearestEvents } from '../../search/nearest-events.ts';
import type { DirectoryEvent } from './directory-view.ts';

/** What to look at instead where nothing matches. */
export type NearEvents = Readonly<{ title: string; events: readonly DirectoryEvent[] }>;

export const nearMax = 3;

/** Anything more different is another word. */
const misspelledMax = 0.4;

/** Events whose names are spelled nearly like a search. */
export function findMisspelled<Event extends DirectoryEvent>(events: readonly Event[], q: string) {
  const spelled = q === '' ? [] : findNearestEvents(events, q, nearMax, misspelledMax);
  return spelled.length === 0 ? null : { title: 'Did you mean', events: spelled };
}
