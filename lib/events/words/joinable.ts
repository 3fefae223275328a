import type { MarqueeEvent } from '../model/schema.ts';

/** Whether an event can still be joined, judging by its dates and state. */
export function isJoinable({ status, state }: Pick<MarqueeEvent, 'status' | 'state'>): boolean {
  return status !== 'ended' && (state === 'scheduled' || state === 'moved-online');
}

/** Whether an event that could be joined has no places left. */
export function isFull(event: Pick<MarqueeEvent, 'status' | 'state' | 'placesLeft'>): boolean {
  return event.placesLeft === 0 && isJoinable(event);
}

/** Events that can be joined before those that are full, cancelled, postponed or over; each in their order. */
export function joinableFirst(events: readonly MarqueeEvent[]): MarqueeEvent[] {
  const isOpen = (event: MarqueeEvent) => isJoinable(event) && !isFull(event);
  return [...events.filter(isOpen), ...events.filter((event) => !isOpen(event))];
}
