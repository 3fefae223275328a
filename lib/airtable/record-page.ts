import { z } from 'zod';
import { type AirtableRecord, recordSchema } from './record.ts';
import { type Span, splitList } from './split-list.ts';

/** One page of a table. */
export type RecordPage = Readonly<{
  /** In turn, each read when it is asked for; null for one that is no record. */
  records: Iterable<AirtableRecord | null>;
  /** Leads to the next page; left out on the last one. */
  offset?: string | undefined;
}>;

// A page without what stands in its list of records.
const frameSchema = z.object({
  records: z.array(z.unknown()).max(0),
  offset: z.string().min(1).optional(),
});

/** Airtable gives 100 at most. */
const recordsMax = 1000;
const noRecords = { start: 0, end: 0, values: [] };

/**
 * Reads the frame of a page, and leaves its records in their bytes until each is asked for: then no more
 * than one of them is alive in memory at a time, and the garbage collector never has to move them.
 * @returns null for a body that is no page.
 */
export function parseRecordPage(body: Buffer): RecordPage | null {
  const { start, end, values } = splitList(body, 'records', recordsMax) ?? noRecords;
  const text = body.toString('utf8', 0, start) + body.toString('utf8', end);
  const frame = frameSchema.safeParse(parseJson(text));
  if (!frame.success) return null;
  return { records: parseRecords(body, values), offset: frame.data.offset };
}

/** What a text of JSON holds; undefined where it is none: the parser's own message would quote it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function* parseRecords(body: Buffer, spans: readonly Span[]): Generator<AirtableRecord | null> {
  for (const [start, end] of spans) {
    const record = recordSchema.safeParse(parseJson(body.toString('utf8', start, end)));
    yield record.success ? record.data : null;
  }
}
