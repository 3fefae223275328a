import leven from 'leven';
import { isJsonObject } from '#lib/http/json-value.ts';
import type { Column } from '../../model/field-lists.ts';
import { toNameKey } from '../../words/fold-text.ts';
import { toCellTexts } from './cells/cell-texts.ts';

type ValueType = 'text' | 'date' | 'url' | 'number' | 'attachments' | 'checkbox';

type Likely = Readonly<{ type: ValueType; names: string }>;

/** What other tables call the columns that most of them have, as keys, the likeliest first. */
const likely: Readonly<Partial<Record<Column, Likely>>> = {
  Name: { type: 'text', names: 'title, event title, event name, event, what, subject, summary' },
  Description: { type: 'text', names: 'about, details, event description, text, notes, info' },
  URL: {
    type: 'url',
    names:
      'link, website, event url, event link, web site, registration, registration link, tickets, rsvp',
  },
  'Start Date': {
    type: 'date',
    names: 'start, date, when, event date, starts, starts at, from, begin, begins, day',
  },
  'End Date': { type: 'date', names: 'end, ends, ends at, to, until, finish, last day' },
  'Start Time': { type: 'text', names: 'time, starts, starts at, from, hours, doors' },
  'End Time': { type: 'text', names: 'ends, ends at, until, to' },
  'Time Zone': { type: 'text', names: 'timezone, tz, zone' },
  'Announced At': {
    type: 'date',
    names: 'announced, published, published at, created, created at',
  },
  Format: { type: 'text', names: 'mode, attendance, event type, type, online or in person' },
  Location: { type: 'text', names: 'venue, place, where, venue name' },
  Address: { type: 'text', names: 'street, street address, venue address' },
  City: { type: 'text', names: 'town, city name' },
  Region: { type: 'text', names: 'state, province, state province, county' },
  Country: { type: 'text', names: 'country code, nation, country name' },
  Latitude: { type: 'number', names: 'lat' },
  Longitude: { type: 'number', names: 'lon, lng, long' },
  Organizer: {
    type: 'text',
    names: 'organiser, host, hosted by, organised by, organized by, group',
  },
  'Organizer URL': { type: 'url', names: 'organiser url, host url, organizer website, contact' },
  Price: { type: 'text', names: 'cost, fee, ticket price, costs' },
  Logo: { type: 'attachments', names: 'icon, image, picture, photo' },
  'Background Image': { type: 'attachments', names: 'cover, banner, header, poster, image' },
  Pinned: { type: 'checkbox', names: 'featured, highlight, highlighted, sticky' },
};

/** The columns of a table by name, with some of their values. */
export type TableColumns = ReadonlyMap<string, readonly unknown[]>;

/** For columns that a table lacks: the one of its columns that is probably meant, by name and values. */
export function proposeColumns(
  absent: readonly Column[],
  table: TableColumns,
): Partial<Record<Column, string>> {
  const free = new Map(table);
  const proposed: Partial<Record<Column, string>> = {};
  for (const column of absent) {
    const name = findLikely(column, free);
    if (name === null) continue;
    proposed[column] = name;
    free.delete(name);
  }
  return proposed;
}

function findLikely(column: Column, table: TableColumns): string | null {
  const { type = 'text', names = '' } = likely[column] ?? {};
  const wanted = [toNameKey(column), ...names.split(', ')];
  const fitting = [...table].filter(([, values]) => hasType(values, type)).map(([name]) => name);
  const exact = wanted.flatMap((key) => fitting.find((name) => toNameKey(name) === key) ?? []);
  const similar = fitting.find((name) => isSimilar(toNameKey(name), toNameKey(column)));
  return exact[0] ?? similar ?? null;
}

/** One letter in four may differ, as in `Organiser`. */
function isSimilar(name: string, key: string): boolean {
  return leven(name, key) <= Math.floor(key.length / 4);
}

/** Whether most of the values may be of a type. */
function hasType(values: readonly unknown[], type: ValueType): boolean {
  const fitting = values.filter((value) => isOfType(value, type));
  return values.length > 0 && fitting.length * 2 > values.length;
}

function isOfType(value: unknown, type: ValueType): boolean {
  if (type === 'checkbox') return value === true;
  if (type === 'attachments')
    return Array.isArray(value) && isJsonObject(value[0]) && 'url' in value[0];
  const [text = ''] = toCellTexts(value).texts ?? [];
  if (type === 'date') return /^\d{4}-\d\d-\d\d|\b\d{1,2}[./ ]+\S+[./ ]+\d{4}\b/.test(text);
  if (type === 'url') return /^(?:https?:\/\/|www\.|mailto:)\S+$/i.test(text);
  return type === 'number' ? text !== '' && Number.isFinite(Number(text)) : text !== '';
}
