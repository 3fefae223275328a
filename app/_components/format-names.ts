import type { EventFormat } from '#lib/events/model/schema.ts';

/** Labels of event formats. */
export const formatNames: Readonly<Record<EventFormat, string>> = {
  'in-person': 'In person',
  online: 'Online',
  both: 'In person and online',
};
