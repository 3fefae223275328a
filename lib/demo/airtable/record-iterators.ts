import { createRandom, shuffle, toAirtableId } from '../seeded-random.ts';
import type { AirtableRecord } from './airtable-record.ts';
import { type AirtableReply, toErrorReply } from './airtable-reply.ts';
import type { ListQuery, SortKey } from './list-query.ts';

/** One page of a read. */
export type RecordPage = {
  readonly records: readonly AirtableRecord[];
  readonly offset: string | null;
};

export type OpenedPage =
  | { readonly ok: true; readonly page: RecordPage }
  | { readonly ok: false; readonly reply: AirtableReply };

export type RecordIterators = {
  /** Reads one page: the first of a new iterator, or the one at `query.offset`. */
  open(query: ListQuery): OpenedPage;
};

type Iterator = {
  readonly records: readonly AirtableRecord[];
  /** Where the page of each offset starts. */
  readonly starts: Map<string, number>;
  usedAt: number;
};

const ttlMs = 60_000;
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
 * a minute.
 */
export function createRecordIterators(options: {
  records: () => readonly AirtableRecord[];
  now: () => number;
}): RecordIterators {
  const iterators = new Map<string, Iterator>();
  let opened = 0;

  function openFirst(query: ListQuery): OpenedPage {
    opened += 1;
    const id = toAirtableId('itr', `read ${opened}`);
    const records = arrange(options.records(), query.sort, opened).slice(0, query.maxRecords);
    const iterator: Iterator = { records, starts: new Map(), usedAt: options.now() };
    iterators.set(id, iterator);
    return { ok: true, page: cutPage(id, iterator, query.pageSize, 0) };
  }

  function dropExpired(): void {
    const usedBefore = options.now() - ttlMs;
    for (const [id, iterator] of iterators) {
      if (iterator.usedAt <= usedBefore) iterators.delete(id);
    }
  }

  return {
    open(query) {
      dropExpired();
      if (query.offset === null) return openFirst(query);
      const id = offsetForm.exec(query.offset)?.[1];
      if (id === undefined) return { ok: false, reply: invalidOffsetReply };
      const iterator = iterators.get(id);
      if (iterator === undefined) return { ok: false, reply: iteratorGoneReply };
      const start = iterator.starts.get(query.offset);
      if (start === undefined) return { ok: false, reply: invalidOffsetReply };
      iterator.usedAt = options.now();
      return { ok: true, page: cutPage(id, iterator, query.pageSize, start) };
    },
  };
}

function cutPage(id: string, iterator: Iterator, pageSize: number, start: number): RecordPage {
  const end = start + pageSize;
  const records = iterator.records.slice(start, end);
  const next = iterator.records[end];
  if (next === undefined) return { records, offset: null };
  const offset = `${id}/${next.id}`;
  iterator.starts.set(offset, end);
  return { records, offset };
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
