import {
  type EventDraft,
  type EventFormat,
  type EventInPerson,
  eventFormats,
  type ProjectType,
  projectTypes,
  type SignedUrls,
} from '#lib/events/model/schema.ts';
import { type Cells, createCells, toIsoTimeOfYear } from './cells.ts';
import { columns } from './columns.ts';
import { toBackground, toTheme } from './look.ts';
import type { AirtableRecord } from './record.ts';
import { createRecordReport, type RecordReport, type RowProblem } from './report.ts';

export type ToEventResult = Readonly<{
  recordId: string;
  /** null: the row is left out. */
  draft: EventDraft | null;
  signedUrls: SignedUrls;
  problems: readonly RowProblem[];
}>;

/**
 * Makes an event of a record. A bad row never fails: it is left out, or mended cell by cell, and
 * each case is reported.
 * @param dayAt the calendar day of a moment (Unix time, ms) in the events' zone.
 */
export function toEvent(record: AirtableRecord, dayAt: (timeMs: number) => string): ToEventResult {
  const report = createRecordReport(record.id);
  const cells = createCells(record.fields, report, dayAt);
  const name = cells.line(columns.name);
  if (name === null) report.leftOut(columns.name, 'no_name', record.fields[columns.name]);
  const startDate = toStartDate(cells, record, report);
  if (name === null || startDate === null)
    return { recordId: record.id, draft: null, signedUrls: noUrls, problems: report.problems };
  const format = toFormat(cells, report);
  const logo = cells.attachment(columns.logo);
  const image = cells.attachment(columns.backgroundImage);
  const draft: EventDraft = {
    id: record.id,
    name,
    description: cells.text(columns.description),
    url: cells.webAddress(columns.url),
    startDate,
    endDate: toEndDate(startDate, cells, record, report),
    announcedAt: toAnnouncedAt(cells, record),
    format,
    inPerson: format === 'online' ? null : toInPerson(format, cells, record, report),
    projectTypes: toProjectTypes(cells, report),
    slackChannel: toSlackChannel(cells, report),
    slackUrl: cells.webAddress(columns.slackUrl),
    requirements: cells.text(columns.requirements),
    pinned: cells.checked(columns.pinned),
    background: toBackground(cells, report, image !== null),
    theme: toTheme(cells),
    attachments: { logo: logo?.attachment ?? null, background: image?.attachment ?? null },
  };
  const signedUrls =
    logo || image ? { logo: logo?.url ?? null, background: image?.url ?? null } : noUrls;
  return { recordId: record.id, draft, signedUrls, problems: report.problems };
}

const noUrls: SignedUrls = { logo: null, background: null };

function toStartDate(cells: Cells, record: AirtableRecord, report: RecordReport): string | null {
  const cell = cells.date(columns.startDate);
  if (cell.kind === 'date') return cell.date;
  const reason = cell.kind === 'empty' ? 'no_start_date' : 'impossible_start_date';
  return report.leftOut(columns.startDate, reason, record.fields[columns.startDate]);
}

function toEndDate(
  startDate: string,
  cells: Cells,
  record: AirtableRecord,
  report: RecordReport,
): string | null {
  const cell = cells.date(columns.endDate);
  if (cell.kind === 'empty') return null;
  const value = record.fields[columns.endDate];
  // Free text here is mostly "rolling" or "TBA": no end that could be told.
  if (cell.kind === 'unreadable') return report.mended(columns.endDate, 'impossible_date', value);
  if (cell.kind === 'partial') report.mended(columns.endDate, 'impossible_date', value);
  const endDate = cell.kind === 'partial' ? cell.lastDay : cell.date;
  if (endDate >= startDate) return endDate;
  // An event that somebody gave an end must not run for ever: it lasts a day.
  report.mended(columns.endDate, 'end_before_start', value);
  return startDate;
}

function toAnnouncedAt(cells: Cells, { createdTime }: AirtableRecord): string {
  const announcedAt = cells.dateTime(columns.announcedAt);
  if (announcedAt !== null) return announcedAt;
  return toIsoTimeOfYear(Date.parse(createdTime)) ?? new Date(0).toISOString();
}

function toFormat(cells: Cells, report: RecordReport): EventFormat | null {
  const [choice] = cells.choices(columns.format);
  if (choice === undefined || choice === '') return null;
  const plain = toPlainChoice(choice);
  const format = eventFormats.find((one) => toPlainChoice(one) === plain);
  return format ?? report.mended(columns.format, 'unknown_choice', choice);
}

function toPlainChoice(choice: string): string {
  return choice.toLowerCase().replace(/[\s\p{Pd}_]+/gu, '');
}

function toInPerson(
  format: EventFormat | null,
  cells: Cells,
  record: AirtableRecord,
  report: RecordReport,
): EventInPerson | null {
  const start = toInPersonDate('inPersonStart', cells, record, report);
  const end = toInPersonDate('inPersonEnd', cells, record, report);
  const location = cells.line(columns.location);
  const saysNothing = start === null && end === null && location === null;
  if (format === null && saysNothing) return null;
  return { start, end, location };
}

function toInPersonDate(
  column: 'inPersonStart' | 'inPersonEnd',
  cells: Cells,
  record: AirtableRecord,
  report: RecordReport,
): string | null {
  const cell = cells.date(columns[column]);
  if (cell.kind === 'empty') return null;
  if (cell.kind === 'date') return cell.date;
  return report.mended(columns[column], 'impossible_date', record.fields[columns[column]]);
}

function toProjectTypes(cells: Cells, report: RecordReport): ProjectType[] {
  const found = new Set<ProjectType>();
  for (const choice of cells.choices(columns.projectTypes)) {
    const known = projectTypes.find((type) => type.toLowerCase() === choice.toLowerCase());
    if (known !== undefined) found.add(known);
    else report.mended(columns.projectTypes, 'unknown_choice', choice);
  }
  return [...found];
}

function toSlackChannel(cells: Cells, report: RecordReport): string | null {
  const value = cells.line(columns.slackChannel);
  if (value === null) return null;
  const names = value.split(/[\s,;/]+/).filter((name) => name !== '' && name !== '#');
  if (names.length > 1) report.mended(columns.slackChannel, 'several_channels', value);
  const name = names[0]?.replace(/^#+/, '').toLowerCase() ?? '';
  // Slack's own rule: letters, digits, hyphens and underscores, up to 80.
  if (/^[\p{L}\p{M}\p{N}_-]{1,80}$/u.test(name)) return name;
  return report.mended(columns.slackChannel, 'not_a_channel', value);
}
