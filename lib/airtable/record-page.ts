import { z } from 'zod';

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

/** @returns undefined for invalid JSON. The parser's own error would quote the body, so it is dropped. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
