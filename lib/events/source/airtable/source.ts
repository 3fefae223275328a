import { createApiError } from '#lib/http/errors/errors.ts';
import { createTimeSlices, yieldToEventLoop } from '#lib/http/time-slices.ts';
import type { EventDraft, SignedUrls } from '../../model/schema.ts';
import type { TableSource } from '../source.ts';
import type { AirtableClient } from './client.ts';
import { type ColumnNames, renameFields } from './column-names.ts';
import { groupProblems } from './problem-groups.ts';
import { countProblems, createRecordReport, type RowProblem } from './record-report.ts';
import { type ToEventResult, toEvent } from './to-event.ts';

/** Of each kind of problem; `doctor` lists all. An alert names rows that were left out. */
const rowsMax = { 'left out': 500, repaired: 50 };

/** The events table as a source for the loader. */
export function createAirtableSource(
  client: AirtableClient,
  siteTimeZone: string,
  columnNames: ColumnNames = {},
): TableSource {
  return {
    async read() {
      const results = await client.mapRecords((record) =>
        toEvent({ ...record, fields: renameFields(record.fields, columnNames) }, siteTimeZone),
      );
      await yieldToEventLoop();
      const { drafts, rows, signedUrls, problems } = await collectEvents(results);
      return {
        drafts,
        rows,
        signedUrls,
        repairs: countProblems(problems),
        problems: groupProblems(problems, { rowsMax, columnNames }),
      };
    },
  };
}

/** Merges converted rows: the drafts (each id once), their signed URLs and all problems. */
export async function collectEvents(results: readonly ToEventResult[]) {
  const drafts: EventDraft[] = [];
  const signedUrls = new Map<string, SignedUrls>();
  const problems: RowProblem[] = [];
  const ids = new Set<string>();
  const yieldWhenDue = createTimeSlices();
  for (const result of results) {
    if (ids.has(result.recordId)) {
      const report = createRecordReport(result.recordId);
      report.leftOut('Name', 'repeated_id', result.recordId);
      problems.push(...report.problems);
      continue;
    }
    ids.add(result.recordId);
    if (result.draft !== null) {
      drafts.push(result.draft);
      signedUrls.set(result.recordId, result.signedUrls);
    }
    problems.push(...result.problems);
    await yieldWhenDue();
  }
  return { drafts, rows: ids.size, signedUrls, problems };
}

/** Replaces the table when a credential is not set: every read fails with its name. */
export function missingCredentials(variable: 'AIRTABLE_TOKEN' | 'AIRTABLE_BASE_ID'): TableSource {
  return {
    async read() {
      throw createApiError('server_misconfigured', {
        message: 'This server has no access to its events table yet.',
        hint: `Its operator has to set ${variable}.`,
        reason: `${variable} is not set`,
      });
    },
  };
}
