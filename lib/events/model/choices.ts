import { z } from 'zod';

/** What fields of events can be chosen from. */

export const eventStatuses = ['upcoming', 'ongoing', 'ended'] as const;
export const eventFormats = ['in-person', 'online', 'both'] as const;
export const eventStates = ['scheduled', 'cancelled', 'postponed', 'moved-online'] as const;
export const projectTypes = [
  'Electronics',
  'Websites',
  'Software',
  'Gamedev',
  'CAD',
  'Other',
] as const;

export const eventStatusSchema = z.enum(eventStatuses).meta({
  id: 'EventStatus',
  description:
    'Derived from the time: `upcoming` before `startsAt`, `ongoing` until `endsAt`, then `ended`. Without `startsAt`, the event begins with `startDate`; without `endsAt`, it lasts through `endDate`, or forever without one. Days are those of the site’s time zone.',
});

export const eventStateSchema = z.enum(eventStates).meta({
  id: 'EventState',
  description:
    'Whether the event takes place as announced. `cancelled`: it does not. `postponed`: not on these dates. `moved-online`: not at the place that was announced, so `format` is `online`. `status` still follows from the dates and times alone.',
});
