import { type AirtableReply, toErrorReply } from './airtable-reply.ts';

export type SortKey = { readonly field: string; readonly descending: boolean };

/** The parameters of one "list records" request. */
export type ListQuery = {
  readonly pageSize: number;
  readonly maxRecords: number;
  readonly offset: string | null;
  readonly fields: ReadonlySet<string> | null;
  readonly sort: readonly SortKey[];
};

export type ParsedListQuery =
  | { readonly ok: true; readonly query: ListQuery }
  | { readonly ok: false; readonly reply: AirtableReply };

const fieldsKey = /^fields\[\d*\]$/;
const sortKey = /^sort\[(\d+)\]\[(field|direction)\]$/;

const invalidRequest = toErrorReply(
  422,
  'INVALID_REQUEST_UNKNOWN',
  'Invalid request: parameter validation failed. Check your request data.',
);

/**
 * Parses the parameters of "list records" as strictly as Airtable: an unknown parameter (or one
 * that is not supported here, such as a view) is an error.
 */
export function parseListQuery(
  params: URLSearchParams,
  columns: ReadonlySet<string>,
): ParsedListQuery {
  const fields = new Set<string>();
  const sorts = new Map<number, { field?: string; direction?: string }>();
  for (const [key, value] of params) {
    const sortMatch = sortKey.exec(key);
    if (fieldsKey.test(key)) {
      fields.add(value);
    } else if (sortMatch) {
      const sort = sorts.get(Number(sortMatch[1])) ?? {};
      sort[sortMatch[2] === 'field' ? 'field' : 'direction'] = value;
      sorts.set(Number(sortMatch[1]), sort);
    } else if (key === 'filterByFormula') {
      return reject(422, 'INVALID_FILTER_BY_FORMULA', 'The formula for filtering is invalid.');
    } else if (!isPlainParameter(key, value)) {
      return { ok: false, reply: invalidRequest };
    }
  }

  const sort: SortKey[] = [];
  for (const [, { field, direction = 'asc' }] of [...sorts].sort(([a], [b]) => a - b)) {
    if (field === undefined || !/^(?:asc|desc)$/.test(direction)) {
      return { ok: false, reply: invalidRequest };
    }
    sort.push({ field, descending: direction === 'desc' });
  }
  const unknown = [...fields, ...sort.map(({ field }) => field)].find((name) => !columns.has(name));
  if (unknown !== undefined) {
    return reject(422, 'UNKNOWN_FIELD_NAME', `Unknown field name: "${unknown}"`);
  }

  const pageSize = toCount(params.get('pageSize'), { absent: 100, max: 100 });
  const maxRecords = toCount(params.get('maxRecords'), { absent: Infinity, max: Infinity });
  if (pageSize === null || maxRecords === null) return { ok: false, reply: invalidRequest };
  const offset = params.get('offset');
  return {
    ok: true,
    query: { pageSize, maxRecords, offset, fields: fields.size > 0 ? fields : null, sort },
  };
}

function isPlainParameter(key: string, value: string): boolean {
  if (key === 'cellFormat') return value === 'json';
  if (key === 'returnFieldsByFieldId') return value === 'false';
  return key === 'pageSize' || key === 'maxRecords' || key === 'offset';
}

function toCount(text: string | null, bounds: { absent: number; max: number }): number | null {
  if (text === null) return bounds.absent;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= bounds.max ? count : null;
}

function reject(status: number, type: string, message: string): ParsedListQuery {
  return { ok: false, reply: toErrorReply(status, type, message) };
}
