import type { EventsSource } from '#lib/events/source.ts';
import type { AirtableClient } from './client.ts';
import { columns } from './columns.ts';
import { countProblems, createRecordReport, type RowProblem } from './report.ts';
import { toEvent } from './to-event.ts';

/** The table of events as a source for the loader. */
export function createAirtableSource(
  client: AirtableClient,
  dayAt: (timeMs: number) => string,
): EventsSource {
  return {
    async read(pace) {
      const records = await client.readRecords();
      const read = await toEvents(records, dayAt, pace);
      return { drafts: read.drafts, mendings: countProblems(read.problems) };
    },
  };
}

type Records = Awaited<ReturnType<AirtableClient['readRecords']>>;
type EventsRead = Readonly<{
  drafts: NonNullable<ReturnType<typeof toEvent>['draft']>[];
  problems: RowProblem[];
}>;

/** All records as events, and everything that was wrong with them. */
export async function toEvents(
  records: Records,
  dayAt: (timeMs: number) => string,
  pace: () => Promise<void> | undefined,
): Promise<EventsRead> {
  const read: EventsRead = { drafts: [], problems: [] };
  const ids = new Set<string>();
  for (const record of records) {
    if (ids.has(record.id)) {
      const report = createRecordReport(record.id);
      report.leftOut(columns.name, 'repeated_id', record.id);
      read.problems.push(...report.problems);
      continue;
    }
    ids.add(record.id);
    const { draft, problems } = toEvent(record, dayAt);
    if (draft !== null) read.drafts.push(draft);
    read.problems.push(...problems);
    await pace();
  }
  return read;
}
