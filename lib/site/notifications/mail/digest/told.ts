import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { foldText } from '#lib/events/search/fold-text.ts';
import { type FactsEvent, toPlace } from '#lib/events/view/event-facts.ts';

/** What a reader was told of when and where an event is. */
export type Told = Pick<MarqueeEvent, 'state' | 'startDate' | 'endDate' | 'startTime'> &
  Readonly<{ place: string | null }>;

/** An event, as far as mails need it. */
export type MailedEvent = FactsEvent & Pick<MarqueeEvent, 'id' | 'slug' | 'name' | 'status'>;

export type Move = 'cancelled' | 'postponed' | 'moved-online' | 'moved';

export function toTold(event: MailedEvent): Told {
  const { state, startDate, endDate, startTime } = event;
  return { state, startDate, endDate, startTime, place: toPlace(event) };
}

/** What a reader has to hear at once: how an event differs from what they were told; null for nothing. */
export function findMove(told: Told, event: MailedEvent): Move | null {
  // Who was told that it is cancelled hears no more of it at once; a digest mentions it if it takes place after all.
  if (told.state === 'cancelled' || event.status === 'ended') return null;
  const { state } = event;
  if (state !== told.state && state !== 'scheduled') return state;
  if (state === 'postponed') return null;
  const now = toTold(event);
  const isMoved =
    told.state !== state ||
    now.startDate !== told.startDate ||
    now.endDate !== told.endDate ||
    (told.startTime !== null && now.startTime !== null && now.startTime !== told.startTime) ||
    (state !== 'moved-online' && isOtherPlace(told.place, now.place));
  return isMoved ? 'moved' : null;
}

/** A place that is only told in more or fewer words is the same. */
function isOtherPlace(before: string | null, after: string | null): boolean {
  if (before === null || after === null) return false;
  const [one, other] = [foldText(before), foldText(after)];
  return !one.includes(other) && !other.includes(one);
}
