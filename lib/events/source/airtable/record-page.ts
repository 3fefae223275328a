import { z } from 'zod';
import { parseJson } from '#lib/http/read-body.ts';

const recordSchema = z.object({
  id: z.string().min(1).max(100),
  createdTime: z.string(),
  // Checked by reference, not copied: each cell is validated when it is read.
  fields: z.custom<Readonly<Record<string, unknown>>>(isObject),
});

// Airtable returns at most 100 records.
const pageSchema = z.object({
  records: z.array(recordSchema).max(1000),
  offset: z.string().min(1).optional(),
});

/** A record as the Web API returns it. Its cells may hold anything. */
export type AirtableRecord = Readonly<z.infer<typeof recordSchema>>;

/** One page of a table; without `offset` it is the last one. */
export type RecordPage = Readonly<z.infer<typeof pageSchema>>;

/** @returns null for a body that is not a page of records. */
export function parseRecordPage(body: string): RecordPage | null {
  const page = pageSchema.safeParse(parseJson(body));
  return page.success ? page.data : null;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
