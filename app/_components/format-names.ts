import type { EventFormat } from '#lib/events/model/schema.ts';

/** How a visitor reads an event's format. */
export const formatNames: Readonly<Record<EventFormat, string>> = {
  'in-person': 'In person',
  online: 'Online',
  both: 'In person and online',
};
