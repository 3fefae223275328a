import { eventStates, projectTypes } from '../../model/choices.ts';
import { addDays } from '../../model/dates.ts';
import { toDetails } from '../../model/field-lists.ts';
import type {
  EventDraft,
  EventFormat,
  EventInPerson,
  EventState,
  ProjectType,
  SignedUrls,
} from '../../model/schema.ts';
import type { EventPlace } from '../../model/time-and-place.ts';
import { parseFormat } from '../../words/format-words.ts';
import { parsePlaceless } from '../../words/placeless.ts';
import { parsePrice } from '../../words/price.ts';
import { toBackground, toTheme } from './appearance.ts';
import { type Cells, createCells } from './cells/cells.ts';
import { type DateCell, toIsoTimeOfYear, toZonedDay, type ZonedDay } from './cells/date-cell.ts';
import {
  type CityOfEvent,
  readCity,
  toLocation,
  toOnlineWords,
  toOrganizer,
  toPlace,
} from './place.ts';
import { createRecordReport, type RecordReport, type RowProblem } from './record-report.ts';
import type { AirtableRecord } from './request-page.ts';
import { findZone, isOnNextDay, toTimes } from './times.ts';

export type ToEventResult = Readonly<{
  recordId: string;
  /** null if the row is left out. */
  draft: EventDraft | null;
  signedUrls: SignedUrls;
  problems: readonly RowProblem[];
}>;

/**
 * Converts a record. A bad row never throws: it is left out or repaired cell by cell, and reported.
 * @param siteTimeZone of events without a zone of their own.
 */
export function toEvent(record: AirtableRecord, siteTimeZone: string): ToEventResult {
  const report = createRecordReport(record.id);
  const cells = createCells({ fields: record.fields, report });
  const name = cells.line('Name');
  if (name === null) report.leftOut('Name', 'no_name', cells.raw('Name'));
  const startCell = cells.date('Start Date');
  const leftOut = {
    recordId: record.id,
    draft: null,
    signedUrls: noUrls,
    problems: report.problems,
  };
  if (name === null || !hasDay(startCell, cells, report)) return leftOut;
  const city = readCity(cells);
  const place = toPlace(cells, city);
  const zone = findZone(cells, { place, siteTimeZone });
  const firstDay = toZonedDay(startCell, zone.ofMoments);
  if (firstDay === null) return leftOut;
  const lastDay = toEndDay(firstDay, zone.ofMoments, cells);
  const start = isOnNextDay(zone.start) ? toNextDay(firstDay) : firstDay;
  const end = lastDay && lastDay.date < start.date ? toNextDay(lastDay) : lastDay;
  const [startDate, endDate] = [start.date, end?.date ?? null];
  const state = toState(cells);
  // What was moved online has left its place.
  const format =
    state === 'moved-online'
      ? 'online'
      : (toFormat(cells) ?? (city.isOnline && city.city !== null ? 'both' : null));
  const logo = cells.attachment('Logo');
  const image = cells.attachment('Background Image');
  const details = toDetails(({ column, read }) => cells[read](column));
  const price = isUnknown(details.price) ? null : details.price;
  const draft: EventDraft = {
    id: record.id,
    name,
    description: cells.markdown('Description'),
    url: cells.webUrl('URL'),
    state,
    startDate,
    endDate,
    ...toTimes({ start, end }, cells, zone),
    announcedAt: toAnnouncedAt(cells, record.createdTime),
    format,
    inPerson:
      format === 'online'
        ? null
        : toInPerson(cells, { format, place, city, timeZone: zone.ofMoments }),
    place: format === 'online' ? null : place,
    organizer: toOrganizer(cells),
    ...details,
    price,
    priceRange: price === null ? null : parsePrice(price, place?.country),
    projectTypes: toProjectTypes(cells),
    slackChannel: toSlackChannel(cells),
    slackUrl: cells.webUrl('Slack URL'),
    requirements: cells.markdown('Requirements'),
    pinned: cells.checked('Pinned'),
    background: toBackground(cells, image !== null),
    theme: toTheme(cells),
    attachments: { logo: logo?.attachment ?? null, background: image?.attachment ?? null },
  };
  const signedUrls =
    logo || image ? { logo: logo?.url ?? null, background: image?.url ?? null } : noUrls;
  return { recordId: record.id, draft, signedUrls, problems: report.problems };
}

/** `TBD`, `n/a` or `-`. */
function isUnknown(text: string | null): boolean {
  return text !== null && !/\d/.test(text) && parsePlaceless(text) === 'unknown';
}

const noUrls: SignedUrls = { logo: null, background: null };

function hasDay({ kind }: DateCell, cells: Cells, report: RecordReport): boolean {
  if (kind === 'date' || kind === 'moment') return true;
  report.leftOut('Start Date', startReasons[kind], cells.raw('Start Date'));
  return false;
}

const startReasons = {
  empty: 'no_start_date',
  ambiguous: 'ambiguous_start_date',
  partial: 'impossible_start_date',
  unreadable: 'impossible_start_date',
} as const;

function toNextDay(day: ZonedDay): ZonedDay {
  return { ...day, date: addDays(day.date, 1) };
}

/** What people write where an event has no end. */
const openEnd =
  /^(?:rolling|ongoing|open|open[ -]?ended?|permanent|indefinite(?:ly)?|continuous|no end(?: date)?|until further notice|laufend|dauerhaft|unbefristet|en continu|permanente)$/i;

/** The last day; what is not certain ends on the first one, so that nothing is on for ever by mistake. */
function toEndDay(start: ZonedDay, timeZone: string, cells: Cells): ZonedDay | null {
  const cell = cells.date('End Date');
  if (cell.kind === 'empty') return start.end ?? null;
  const sameDay = { date: start.date, time: null };
  const day = toZonedDay(cell, timeZone);
  if (day === null) {
    const text = cells.raw('End Date');
    const [end, ...others] =
      cell.kind === 'ambiguous' ? cell.dates.filter((date) => date >= start.date) : [];
    // One of two meanings would be before the start.
    if (end !== undefined && others.length === 0) {
      cells.repaired('End Date', 'date_rewritten');
      return { date: end, time: null };
    }
    if (typeof text === 'string' && openEnd.test(text.trim())) return null;
    cells.repaired('End Date', toDateReason(cell));
  }
  const end = cell.kind === 'partial' ? { date: cell.lastDay, time: null } : (day?.end ?? day);
  if (end === null) return sameDay;
  if (end.date >= start.date) return end;
  cells.repaired('End Date', 'end_before_start');
  return sameDay;
}

function toDateReason({ kind }: DateCell) {
  return kind === 'ambiguous' ? 'ambiguous_date' : 'impossible_date';
}

function toAnnouncedAt(cells: Cells, createdTime: string): string {
  const announcedAt = cells.dateTime('Announced At');
  if (announcedAt !== null) return announcedAt;
  return toIsoTimeOfYear(Date.parse(createdTime)) ?? new Date(0).toISOString();
}

function toState(cells: Cells): EventState {
  const [choice] = cells.choices('State');
  if (choice === undefined) return 'scheduled';
  const plain = toPlainChoice(choice);
  if (plain === 'canceled') return 'cancelled';
  const state = eventStates.find((state) => toPlainChoice(state) === plain);
  return state ?? cells.repaired('State', 'unknown_choice') ?? 'scheduled';
}

function toFormat(cells: Cells): EventFormat | null {
  const formats = new Set<EventFormat>();
  for (const choice of cells.choices('Format')) {
    const format = parseFormat(choice);
    if (format === null) cells.repaired('Format', 'unknown_choice', choice);
    else formats.add(format);
  }
  const [first = null, ...others] = formats;
  return others.length > 0 ? 'both' : first;
}

function toPlainChoice(choice: string): string {
  return choice.toLowerCase().replace(/[\s\p{Pd}_]+/gu, '');
}

type InPersonParts = Readonly<{
  format: EventFormat | null;
  place: EventPlace | null;
  city: CityOfEvent;
  timeZone: string;
}>;

function toInPerson(
  cells: Cells,
  { format, place, city, timeZone }: InPersonParts,
): EventInPerson | null {
  const start = toInPersonDate('In-Person Start', cells, timeZone);
  const end = toInPersonEnd(start, cells, timeZone);
  const isNowhere = format === null && place === null;
  const location = toLocation(cells) ?? (isNowhere ? toOnlineWords(cells, city) : null);
  const isEmpty = start === null && end === null && location === null;
  if (format === null && isEmpty) return null;
  return { start, end, location };
}

function toInPersonEnd(start: string | null, cells: Cells, timeZone: string): string | null {
  const end = toInPersonDate('In-Person End', cells, timeZone);
  if (start === null || end === null || end >= start) return end;
  cells.repaired('In-Person End', 'end_before_start');
  return start;
}

function toInPersonDate(
  column: 'In-Person Start' | 'In-Person End',
  cells: Cells,
  timeZone: string,
): string | null {
  const cell = cells.date(column);
  if (cell.kind === 'empty') return null;
  return toZonedDay(cell, timeZone)?.date ?? cells.repaired(column, toDateReason(cell));
}

function toProjectTypes(cells: Cells): ProjectType[] {
  const found = new Set<ProjectType>();
  for (const choice of cells.choices('Project Types')) {
    const known = projectTypes.find((type) => type.toLowerCase() === choice.toLowerCase());
    if (known !== undefined) found.add(known);
    else cells.repaired('Project Types', 'unknown_choice', choice);
  }
  return [...found];
}

function toSlackChannel(cells: Cells): string | null {
  const value = cells.line('Slack Channel');
  if (value === null) return null;
  const names = value.split(/[\s,;/]+/).filter((name) => name !== '' && name !== '#');
  if (names.length > 1) cells.repaired('Slack Channel', 'several_channels', value);
  const name = names[0]?.replace(/^#+/, '').toLowerCase() ?? '';
  // Slack's rule: letters, digits, hyphens and underscores, up to 80.
  if (/^[\p{L}\p{M}\p{N}_-]{1,80}$/u.test(name)) return name;
  return cells.repaired('Slack Channel', 'not_a_channel', value);
}
