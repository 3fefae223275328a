import type { fields } from '../../model/fields.ts';

type Fields = typeof fields;
type SpecialColumns = {
  [Name in keyof Fields]: Fields[Name] extends { read: string }
    ? never
    : Fields[Name] extends { columns: readonly (infer Column extends string)[] }
      ? Column
      : never;
}[keyof Fields];

/** What the columns hold that have code of their own, in Markdown. The others are described by their fields. */
export const columnTexts: Readonly<Record<SpecialColumns, string>> = {
  Name: 'the name, on one line; a row without it is left out',
  Description: 'text, as Markdown',
  Requirements: 'text, as Markdown',
  URL: 'the event’s own website',
  'Slack URL': 'a link to that channel',
  'Slack Channel': 'the name of its Slack channel, with or without `#`',
  'Start Date': 'a date; a row without it is left out',
  'End Date': 'a date, not before the start; empty: the event is open-ended',
  'Start Time': '`18:30`, `6:30 pm`, or a date with a time, whose day is ignored',
  'End Time': 'the same; an end before the start is on the next day',
  'Time Zone': 'an IANA name, such as `Europe/Brussels`; empty: `EVENTS_TIME_ZONE`',
  Schedule: '`19:00 Doors`, one a line; `Day 2`, `Saturday` or `2026-12-05` begin another day',
  'Announced At': 'a date with a time; empty: when the row was created',
  State: '`Scheduled`, `Cancelled`, `Postponed` or `Moved online`; empty: `Scheduled`',
  Format: '`In-person`, `Online` or `Both`',
  'In-Person Start': 'the first day on which people meet, if not the start',
  'In-Person End': 'the last such day, if not the end',
  Location: 'the name of the place',
  Address: 'street and number, for events in person',
  City: 'a city, for events in person',
  Country: 'an ISO code or an English name, for events in person',
  Latitude: 'degrees, -90 to 90, together with the longitude',
  Longitude: 'degrees, -180 to 180',
  Organizer: 'who runs the event',
  'Organizer URL': 'their website',
  'Project Types': 'any of `Electronics`, `Websites`, `Software`, `Gamedev`, `CAD` and `Other`',
  Pinned: 'a checkbox: of the events that are on now, pinned ones come first',
  Logo: 'a picture',
  'Background Type': '`Color` or `Image`',
  'Background Color': 'a CSS colour, such as `#1f2430`',
  'Background Image': 'a picture',
  'Text Color': 'a CSS colour',
  'Accent Color': 'a CSS colour',
  'Logo Size': 'pixels, 16 to 512',
  'Button Color': 'a CSS colour',
  'Button Text Color': 'a CSS colour',
  'Button Border Radius': 'pixels, 0 to 999',
  'Button Border Width': 'pixels, 0 to 16',
  'Button Border Color': 'a CSS colour',
};
