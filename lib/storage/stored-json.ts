import { z } from 'zod';
import { parseJson } from '#lib/http/json-value.ts';

/**
 * What a column stores as JSON. Fields that an older version has not written have their default in the schema. A text
 * that cannot be read counts as `least`, so that damage gives no right and lifts no limit; `npm run doctor` names its row.
 */
export function readStored<T>(schema: z.ZodType<T>, text: string, least: T): T {
  const { success, data } = schema.safeParse(parseJson(text));
  return success ? data : least;
}

/** Names, types or models. Least: none. */
export const storedList = z.array(z.string());
