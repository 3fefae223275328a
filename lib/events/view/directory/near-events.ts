import { findNearestEvents } from '../../search/nearest-events.ts';
import type { DirectoryEvent } from './directory-view.ts';

/** Events to suggest when nothing matches. */
export type NearEvents = Readonly<{ title: string; events: readonly DirectoryEvent[] }>;

export const nearMax = 3;

/** Words that differ more count as different words. */
const misspelledMax = 0.4;

/** Events whose names are spelled almost like the search text. */
export function findMisspelled<Event extends DirectoryEvent>(events: readonly Event[], q: string) {
  const spelled = q === '' ? [] : findNearestEvents(events, q, nearMax, misspelledMax);
  return spelled.length === 0 ? null : { title: 'Did you mean', events: spelled };
}
