import {
  type EventDraft,
  type EventFormat,
  type EventInPerson,
  type EventState,
  eventFormats,
  eventStates,
  type ProjectType,
  projectTypes,
  type SignedUrls,
} from '../../model/schema.ts';
import type { TimeZone } from '../../model/zoned-time.ts';
import { toBackground, toTheme } from './appearance.ts';
import { type Cells, createCells, toIsoTimeOfYear } from './cells.ts';
import { columns } from './columns.ts';
import { toOrganizer, toPlace } from './place.ts';
import { createRecordReport, type RecordReport, type RowProblem } from './record-report.ts';
import type { AirtableRecord } from './request-page.ts';
import { toTimes } from './times.ts';

export type ToEventResult = Readonly<{
  recordId: string;
  /** null if the row is left out. */
  draft: EventDraft | null;
  signedUrls: SignedUrls;
  problems: readonly RowProblem[];
}>;

export type SiteTimeZone = Pick<TimeZone, 'timeZone' | 'dayAt'>;

/**
 * Converts a record. A bad row never throws: it is left out or repaired cell by cell, and reported.
 * @param site the time zone of events without one of their own.
 */
export function toEvent(record: AirtableRecord, site: SiteTimeZone): ToEventResult {
  const report = createRecordReport(record.id);
  const cells = createCells(record.fields, report, site.dayAt);
  const name = cells.line(columns.name);
  if (name === null) report.leftOut(columns.name, 'no_name', cells.raw(columns.name));
  const startDate = toStartDate(cells, report);
  if (name === null || startDate === null)
    return { recordId: record.id, draft: null, signedUrls: noUrls, problems: report.problems };
  const endDate = toEndDate(startDate, cells);
  const state = toState(cells);
  // What was moved online has left its place.
  const format = state === 'moved-online' ? 'online' : toFormat(cells);
  const logo = cells.attachment(columns.logo);
  const image = cells.attachment(columns.backgroundImage);
  const draft: EventDraft = {
    id: record.id,
    name,
    description: cells.text(columns.description),
    url: cells.webUrl(columns.url),
    state,
    startDate,
    endDate,
    ...toTimes({ startDate, endDate }, cells, site.timeZone),
    announcedAt: toAnnouncedAt(cells, record.createdTime),
    format,
    inPerson: format === 'online' ? null : toInPerson(format, cells),
    place: format === 'online' ? null : toPlace(cells),
    organizer: toOrganizer(cells),
    series: cells.line(columns.series),
    price: cells.line(columns.price),
    placesLeft: toPlacesLeft(cells),
    audience: cells.line(columns.audience),
    projectTypes: toProjectTypes(cells),
    slackChannel: toSlackChannel(cells),
    slackUrl: cells.webUrl(columns.slackUrl),
    requirements: cells.text(columns.requirements),
    pinned: cells.checked(columns.pinned),
    background: toBackground(cells, image !== null),
    theme: toTheme(cells),
    attachments: { logo: logo?.attachment ?? null, background: image?.attachment ?? null },
  };
  const signedUrls =
    logo || image ? { logo: logo?.url ?? null, background: image?.url ?? null } : noUrls;
  return { recordId: record.id, draft, signedUrls, problems: report.problems };
}

const noUrls: SignedUrls = { logo: null, background: null };

function toStartDate(cells: Cells, report: RecordReport): string | null {
  const cell = cells.date(columns.startDate);
  if (cell.kind === 'date') return cell.date;
  const reason = cell.kind === 'empty' ? 'no_start_date' : 'impossible_start_date';
  return report.leftOut(columns.startDate, reason, cells.raw(columns.startDate));
}

function toEndDate(startDate: string, cells: Cells): string | null {
  const cell = cells.date(columns.endDate);
  if (cell.kind === 'empty') return null;
  // Free text is mostly "rolling" or "TBA".
  if (cell.kind === 'unreadable') return cells.repaired(columns.endDate, 'impossible_date');
  if (cell.kind === 'partial') cells.repaired(columns.endDate, 'impossible_date');
  const endDate = cell.kind === 'partial' ? cell.lastDay : cell.date;
  if (endDate >= startDate) return endDate;
  // An event with some end must not run forever, so it lasts a day.
  cells.repaired(columns.endDate, 'end_before_start');
  return startDate;
}

function toAnnouncedAt(cells: Cells, createdTime: string): string {
  const announcedAt = cells.dateTime(columns.announcedAt);
  if (announcedAt !== null) return announcedAt;
  return toIsoTimeOfYear(Date.parse(createdTime)) ?? new Date(0).toISOString();
}

function toState(cells: Cells): EventState {
  if (isBlank(cells.raw(columns.state) ?? '')) return 'scheduled';
  const plain = toPlainChoice(cells.choices(columns.state)[0] ?? '');
  if (plain === 'canceled') return 'cancelled';
  const state = eventStates.find((one) => toPlainChoice(one) === plain);
  return state ?? cells.repaired(columns.state, 'unknown_choice') ?? 'scheduled';
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && !value.length;
}

function toFormat(cells: Cells): EventFormat | null {
  const [choice] = cells.choices(columns.format);
  if (choice === undefined || choice === '') return null;
  const plain = toPlainChoice(choice);
  const format = eventFormats.find((one) => toPlainChoice(one) === plain);
  return format ?? cells.repaired(columns.format, 'unknown_choice', choice);
}

function toPlainChoice(choice: string): string {
  return choice.toLowerCase().replace(/[\s\p{Pd}_]+/gu, '');
}

function toInPerson(format: EventFormat | null, cells: Cells): EventInPerson | null {
  const start = toInPersonDate('inPersonStart', cells);
  const end = toInPersonEnd(start, cells);
  const location = cells.line(columns.location);
  const isEmpty = start === null && end === null && location === null;
  if (format === null && isEmpty) return null;
  return { start, end, location };
}

function toInPersonEnd(start: string | null, cells: Cells): string | null {
  const end = toInPersonDate('inPersonEnd', cells);
  if (start === null || end === null || end >= start) return end;
  cells.repaired(columns.inPersonEnd, 'end_before_start');
  return start;
}

function toInPersonDate(column: 'inPersonStart' | 'inPersonEnd', cells: Cells): string | null {
  const cell = cells.date(columns[column]);
  if (cell.kind === 'empty') return null;
  if (cell.kind === 'date') return cell.date;
  return cells.repaired(columns[column], 'impossible_date');
}

function toPlacesLeft(cells: Cells): number | null {
  const count = cells.number(columns.placesLeft, { min: 0, max: 1_000_000 });
  return count && Math.floor(count);
}

function toProjectTypes(cells: Cells): ProjectType[] {
  const found = new Set<ProjectType>();
  for (const choice of cells.choices(columns.projectTypes)) {
    const known = projectTypes.find((type) => type.toLowerCase() === choice.toLowerCase());
    if (known !== undefined) found.add(known);
    else cells.repaired(columns.projectTypes, 'unknown_choice', choice);
  }
  return [...found];
}

function toSlackChannel(cells: Cells): string | null {
  const value = cells.line(columns.slackChannel);
  if (value === null) return null;
  const names = value.split(/[\s,;/]+/).filter((name) => name !== '' && name !== '#');
  if (names.length > 1) cells.repaired(columns.slackChannel, 'several_channels', value);
  const name = names[0]?.replace(/^#+/, '').toLowerCase() ?? '';
  // Slack's rule: letters, digits, hyphens and underscores, up to 80.
  if (/^[\p{L}\p{M}\p{N}_-]{1,80}$/u.test(name)) return name;
  return cells.repaired(columns.slackChannel, 'not_a_channel', value);
}
