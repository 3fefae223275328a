import type { MarqueeEvent } from '../model/schema.ts';

/** Whether an event can still be joined, judging by its dates and state. */
export function isJoinable({ status, state }: Pick<MarqueeEvent, 'status' | 'state'>): boolean {
  return status !== 'ended' && (state === 'scheduled' || state === 'moved-online');
}

/** Whether an event that could be joined has no places left. */
export function isFull(event: Pick<MarqueeEvent, 'status' | 'state' | 'placesLeft'>): boolean {
  return event.placesLeft === 0 && isJoinable(event);
}
