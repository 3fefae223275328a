import { toInPersonDays } from '../model/in-person-days.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { statusWords } from './filter-words.ts';

type DatedEvent = Pick<
  MarqueeEvent,
  'status' | 'state' | 'format' | 'startDate' | 'endDate' | 'inPerson'
>;

/** Before and after the dates of an event. */
const stateWords = {
  scheduled: null,
  cancelled: ['It won’t take place', 'It didn’t take place'],
  postponed: ['It won’t be on these dates', 'It wasn’t on these dates'],
  'moved-online': null,
} as const;

/**
 * What an event’s page says before its dates: `Coming up`, `Online now, in person later`, `Past`. Its poster
 * says “Cancelled” or “Postponed”.
 * @param today `YYYY-MM-DD` in the site's time zone.
 */
export function toStatusInWords(event: DatedEvent, today: string): string {
  const changed = stateWords[event.state];
  if (changed !== null) return changed[event.status === 'ended' ? 1 : 0];
  if (event.status === 'ended') return statusWords.ended;
  return event.status === 'upcoming' ? statusWords.upcoming : toOngoingInWords(event, today);
}

// “On now” alone would be wrong for those who plan to come in person.
function toOngoingInWords(event: DatedEvent, today: string): string {
  const days = toInPersonDays(event);
  if (days === null) return statusWords.ongoing;
  const { startDate, endDate } = days;
  const now = event.format === 'in-person' ? statusWords.ongoing : 'Online now';
  if (today < startDate) return `${now}, in person later`;
  if (endDate !== null && endDate < today) return `${now}, in person is over`;
  return event.format === 'in-person' ? 'In person now' : 'Online and in person now';
}
