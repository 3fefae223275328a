import { type Details, details } from '#lib/events/model/field-lists.ts';
import type { AirtableRecord, StoredAttachment } from '../airtable/airtable-record.ts';
import { toAirtableId, toSeed } from '../seeded-random.ts';

/** Days from today: -1 is yesterday. The last day of an open-ended event is null. */
export type DaySpan = readonly [first: number, last: number | null];

/** The colours of the posters. */
export const paint = {
  ink: '#17151f',
  cream: '#f7f0e1',
  vermilion: '#f0563a',
  tangerine: '#f5912b',
  marigold: '#f8c33c',
  moss: '#27543a',
  mint: '#bfe6cf',
  teal: '#0c5f62',
  sky: '#aadbf7',
  cobalt: '#2340c4',
  plum: '#4b1c5c',
  rose: '#f7b6c6',
  brick: '#862c1e',
  sand: '#ead6ac',
  night: '#10173d',
  lilac: '#cfbcf3',
  lime: '#d8f35a',
} as const;

/** A poster. Omitted values are empty cells, as in real tables. */
export type Look = {
  readonly ground?: string;
  /** File in `pictures/`. Without one the ground colour shows. */
  readonly picture?: string;
  readonly text?: string;
  readonly accent?: string;
  readonly logo?: string;
  readonly logoSize?: number;
  readonly button?: {
    readonly color?: string;
    readonly text?: string;
    readonly radius?: number;
    readonly border?: number;
    readonly borderColor?: string;
  };
};

/** Where an event meets, besides the name of the place. */
export type Spot = {
  readonly address?: string;
  readonly city: string;
  /** A state or province. */
  readonly region?: string;
  /** A code, or an English name. */
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
};

/** A short notation for an event; `toRecord` creates a row from it. */
export type Sketch = Partial<Details> & {
  readonly name: string;
  readonly days: DaySpan;
  /** 0 for Sunday to 6 for Saturday: the event moves to the next such day, so that its name stays true. */
  readonly startsOn?: 0 | 5 | 6;
  /** How many days ago it was announced. */
  readonly announced: number;
  /** "Announced At" is empty, so the row's creation date counts. */
  readonly unannounced?: true;
  readonly types: readonly string[];
  readonly format?: 'In-Person' | 'Online' | 'Both';
  /** Omitted if it takes place as announced. */
  readonly state?: 'Cancelled' | 'Postponed' | 'Moved online';
  readonly meet?: { readonly at: string; readonly days?: readonly [number, number] };
  readonly spot?: Spot;
  /** As somebody types them into the table. */
  readonly hours?: readonly [start: string, end?: string];
  readonly zone?: string;
  readonly schedule?: string;
  readonly by?: readonly [organizer: string, url?: string];
  readonly description?: string;
  readonly requirements?: string;
  readonly url?: string;
  readonly channel?: string;
  readonly channelLink?: true;
  readonly pinned?: true;
  readonly look?: Look;
};

const dayMs = 24 * 60 * 60 * 1000;

/** Adds days to `today` (both `YYYY-MM-DD`). */
export function addDays(today: string, days: number): string {
  return new Date(Date.parse(today) + days * dayMs).toISOString().slice(0, 10);
}

/** Creates a row. Its id depends on `key` only, so it is the same every day. */
export function toRecord(sketch: Sketch, today: string, key: string = sketch.name): AirtableRecord {
  const shift = toShift(sketch, today);
  const [first, last] = sketch.days;
  const meetDays = sketch.meet?.days ?? sketch.days;
  const toDay = (days: number) => addDays(today, days + shift);
  const announcedAt = toMoment(addDays(today, -sketch.announced), key);
  const look = sketch.look;
  return {
    id: toAirtableId('rec', key),
    // A row is created up to a day before it is announced.
    createdTime: new Date(Date.parse(announcedAt) - (toSeed(key) % dayMs)).toISOString(),
    fields: dropUndefined({
      Name: sketch.name,
      Description: sketch.description,
      Requirements: sketch.requirements,
      URL: sketch.url,
      'Slack URL': sketch.channelLink && toChannelUrl(key),
      'Start Date': toDay(first),
      'End Date': last === null ? undefined : toDay(last),
      'Start Time': sketch.hours?.[0],
      'End Time': sketch.hours?.[1],
      'Time Zone': sketch.zone,
      Schedule: sketch.schedule,
      'Announced At': sketch.unannounced ? undefined : announcedAt,
      State: sketch.state,
      Format: sketch.format,
      'In-Person Start': sketch.meet && toDay(meetDays[0]),
      'In-Person End': sketch.meet && meetDays[1] !== null ? toDay(meetDays[1]) : undefined,
      Location: sketch.meet?.at,
      Address: sketch.spot?.address,
      City: sketch.spot?.city,
      Region: sketch.spot?.region,
      Country: sketch.spot?.country,
      Latitude: sketch.spot?.latitude,
      Longitude: sketch.spot?.longitude,
      Organizer: sketch.by?.[0],
      'Organizer URL': sketch.by?.[1],
      ...toCells(sketch),
      'Project Types': sketch.types.length > 0 ? sketch.types : undefined,
      'Slack Channel': sketch.channel,
      Pinned: sketch.pinned,
      Logo: look?.logo && toAttachment(key, look.logo),
      'Background Image': look?.picture && toAttachment(key, look.picture),
      'Background Type': look?.picture ? 'Image' : look?.ground && 'Color',
      'Background Color': look?.ground,
      'Text Color': look?.text,
      'Accent Color': look?.accent,
      'Logo Size': look?.logoSize,
      'Button Color': look?.button?.color,
      'Button Text Color': look?.button?.text,
      'Button Border Radius': look?.button?.radius,
      'Button Border Width': look?.button?.border,
      'Button Border Color': look?.button?.borderColor,
    }),
  };
}

function toCells(sketch: Partial<Details>): Record<string, unknown> {
  return Object.fromEntries(details.map(({ name, column }) => [column, sketch[name]]));
}

function toShift({ days, startsOn }: Sketch, today: string): number {
  if (startsOn === undefined) return 0;
  const weekday = new Date(addDays(today, days[0])).getUTCDay();
  return (startsOn - weekday + 7) % 7;
}

/** A time on that day, in waking hours, the same for the same key. */
function toMoment(day: string, key: string): string {
  const minutes = 8 * 60 + (toSeed(key) % (12 * 60));
  return new Date(Date.parse(day) + minutes * 60 * 1000).toISOString();
}

function toChannelUrl(key: string): string {
  const channel = toAirtableId('rec', `channel ${key}`).slice(3, 12).toUpperCase();
  return `https://builders-chat.example/archives/C${channel}`;
}

function toAttachment(key: string, file: string): readonly StoredAttachment[] {
  return [{ id: toAirtableId('att', `${key}/${file}`), file }];
}

function dropUndefined(cells: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== undefined));
}
