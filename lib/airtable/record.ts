import { z } from 'zod';

/** A record as the Web API returns it; what its cells hold is anybody's guess. */
export type AirtableRecord = Readonly<{
  id: string;
  createdTime: string;
  fields: Readonly<Record<string, unknown>>;
}>;

export const recordSchema = z.object({
  id: z.string().min(1).max(100),
  createdTime: z.string(),
  fields: z.custom<AirtableRecord['fields']>(isObject),
});

// Looked at, not copied: what is in it is read cell by cell.
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
