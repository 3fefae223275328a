import { z } from 'zod';
import { createApiError, type HttpError } from '#lib/http/errors/errors.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import { parseParameters } from '../query/parse-query.ts';
import {
  choice,
  limitMax,
  limitParameter,
  type QueryParameter,
} from '../query/query-parameters.ts';
import { type ChangeType, changeTypes } from './change.ts';
import { type ChangesStart, changesDays } from './change-store.ts';

const dayMs = 86_400_000;
const cursor = /^(?:0|[1-9]\d{0,14})$/;
const timestamp = z.iso.datetime({ offset: true });

/** The query parameters of the list of changes. */
export const changeParameters = {
  since: {
    schema: z.union([z.string().regex(cursor), timestamp]),
    takes: 'a cursor (`id` of a change, or `meta.next`), or a time as `2026-11-23T18:30:00Z`',
    description: `Where to begin: after the change with this id, or at this time. Without it, the list begins with the oldest change; a stream, with the next one. Changes are stored for ${changesDays} days.`,
  },
  limit: {
    ...limitParameter,
    defaultsTo: limitMax,
    description: 'Maximum number of changes to return.',
  },
  type: {
    ...choice(changeTypes, { many: true }),
    description: 'Only changes of these types.',
  },
} satisfies Record<string, QueryParameter>;

const querySchema = z.object({
  since: z.string().optional(),
  limit: z.int().default(limitMax),
  type: z.array(z.enum(changeTypes)).default([]),
});

export type ChangesQuery = Readonly<{
  /** Null: not given. */
  start: ChangesStart;
  limit: number;
  types: readonly ChangeType[];
}>;

/**
 * Parses the query of the list of changes.
 * @param lastEventId the header of an event stream that reconnects; it is newer than the URL.
 * @throws HttpError 400
 */
export function parseChangesQuery(
  url: string,
  { nowMs, lastEventId }: Readonly<{ nowMs: number; lastEventId: string | null }>,
): ChangesQuery {
  const search = readSearchParameters(searchOf(url));
  if (lastEventId) search.set('since', lastEventId);
  const result = parseParameters(search, changeParameters);
  if (!result.ok) throw createApiError('bad_request', result.problem);
  const { since, limit, type: types } = querySchema.parse(result.query);
  return { start: toStart(since, nowMs), limit, types };
}

function toStart(since: string | undefined, nowMs: number): ChangesStart {
  if (since === undefined) return null;
  if (cursor.test(since)) return { after: Number(since) };
  const atMs = Date.parse(since);
  if (atMs < nowMs - changesDays * dayMs) throw createLostCursorError(since);
  return { atMs };
}

/** For a cursor that was never issued, or whose changes have been deleted. */
export function createLostCursorError(since: string | number): HttpError {
  return createApiError('bad_request', {
    message: `There is no list of changes since “${since}”: it was never issued, or is older than ${changesDays} days.`,
    hint: 'Read the whole list at `/api/v1/events` again, then continue here without `since` or with a current time.',
  });
}
