import type { AsyncLocalStorage } from 'node:async_hooks';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';

type Parts = Readonly<{
  rendering: AsyncLocalStorage<EventsSnapshot | null>;
  events: EventsLoader;
}>;

/** The events to show: those that the page was planned from, so that its status and content agree. */
export async function loadPageSnapshot({ rendering, events }: Parts): Promise<EventsSnapshot> {
  return rendering.getStore() ?? events.current();
}
