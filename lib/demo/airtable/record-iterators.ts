import { createRandom, shuffle, toAirtableId } from '../seeded-random.ts';
import type { AirtableRecord } from './airtable-record.ts';
import { type AirtableReply, toErrorReply } from './airtable-reply.ts';
import type { ListQuery, SortKey } from './list-query.ts';

/** One page of a read. `pagesBefore` is the number of earlier pages of the same read. */
export type RecordPage = {
  readonly records: readonly AirtableRecord[];
  readonly offset: string | null;
  readonly pagesBefore: number;
};

export type OpenedPage =
  | { readonly ok: true; readonly page: RecordPage }
  | { readonly ok: false; readonly reply: AirtableReply };

export type RecordIterators = {
  /** Reads one page: the first of a new iterator, or the one at `query.offset`. */
  open(query: ListQuery): OpenedPage;
  /** The number of pages before this offset; 0 if unknown. */
  countPagesBefore(offset: string | null): number;
};

type Iterator = {
  readonly records: readonly AirtableRecord[];
  readonly positions: Map<string, { start: number; pagesBefore: number }>;
  usedAt: number;
};

const offsetForm = /^(itr[0-9A-Za-z]{14})\/(rec[0-9A-Za-z]{14})$/;

/** Airtable's error for an expired iterator: start again from page 1. */
export const iteratorGoneReply: AirtableReply = toErrorReply(
  422,
  'LIST_RECORDS_ITERATOR_NOT_AVAILABLE',
);

const invalidOffsetReply = toErrorReply(
  422,
  'INVALID_OFFSET_VALUE',
  'The value of offset is invalid.',
);

/**
 * Reads in progress. Each has the rows from the time of its first page, and expires when unused for
 * `ttlMs`.
 */
export function createRecordIterators(options: {
  records: () => readonly AirtableRecord[];
  ttlMs: number;
  now: () => number;
}): RecordIterators {
  const iterators = new Map<string, Iterator>();
  let opened = 0;

  function start(query: ListQuery): OpenedPage {
    opened += 1;
    const id = toAirtableId('itr', `read ${opened}`);
    const records = arrange(options.records(), query.sort, opened).slice(0, query.maxRecords);
    const iterator: Iterator = { records, positions: new Map(), usedAt: options.now() };
    iterators.set(id, iterator);
    return { ok: true, page: cutPage(id, iterator, query.pageSize, { start: 0, pagesBefore: 0 }) };
  }

  function dropExpired(): void {
    const usedBefore = options.now() - options.ttlMs;
    for (const [id, iterator] of iterators) {
      if (iterator.usedAt <= usedBefore) iterators.delete(id);
    }
  }

  return {
    open(query) {
      dropExpired();
      if (query.offset === null) return start(query);
      const id = offsetForm.exec(query.offset)?.[1];
      if (id === undefined) return { ok: false, reply: invalidOffsetReply };
      const iterator = iterators.get(id);
      if (iterator === undefined) return { ok: false, reply: iteratorGoneReply };
      const position = iterator.positions.get(query.offset);
      if (position === undefined) return { ok: false, reply: invalidOffsetReply };
      iterator.usedAt = options.now();
      return { ok: true, page: cutPage(id, iterator, query.pageSize, position) };
    },
    countPagesBefore(offset) {
      const id = offsetForm.exec(offset ?? '')?.[1] ?? '';
      return iterators.get(id)?.positions.get(offset ?? '')?.pagesBefore ?? 0;
    },
  };
}

function cutPage(
  id: string,
  iterator: Iterator,
  pageSize: number,
  position: { start: number; pagesBefore: number },
): RecordPage {
  const end = position.start + pageSize;
  const records = iterator.records.slice(position.start, end);
  const next = iterator.records[end];
  const pagesBefore = position.pagesBefore;
  if (next === undefined) return { records, offset: null, pagesBefore };
  const offset = `${id}/${next.id}`;
  iterator.positions.set(offset, { start: end, pagesBefore: pagesBefore + 1 });
  return { records, offset, pagesBefore };
}

function arrange(
  records: readonly AirtableRecord[],
  sort: readonly SortKey[],
  seed: number,
): AirtableRecord[] {
  // Without a sort Airtable promises no order: code that relies on one fails here.
  const shuffled = shuffle(records, createRandom(seed));
  return shuffled.sort((left, right) => {
    for (const { field, descending } of sort) {
      const order = compareCells(left.fields[field], right.fields[field]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}

function compareCells(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return toSortText(left).localeCompare(toSortText(right), 'en');
}

function toSortText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
