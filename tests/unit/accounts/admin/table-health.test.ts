import { expect, test } from 'vitest';
import { toTableHealth } from '#lib/accounts/admin/table-health.ts';

const problem = {
  recordId: 'recV7kQ2mXw4Tn9Lb',
  column: 'URL',
  value: 'javascript:alert(1)',
  done: 'repaired',
  reason: 'not_a_web_url',
} as const;
const lastRead = {
  readAtMs: 5_000,
  events: 12,
  repairs: { 'repaired.not_a_web_url': 1, 'leftOut.no_name': 2 },
  problems: [problem],
};
const table = { baseId: 'appTest0000000000', table: 'tblEvents00000000' };

test('rows are listed with their reasons and a link to the record', () => {
  expect(toTableHealth({ lastRead, lastFailure: null, isFailing: false }, table)).toMatchObject({
    readAtMs: 5_000,
    events: 12,
    leftOut: 2,
    repaired: 1,
    failure: null,
    rows: [
      {
        result: 'repaired: not a web url',
        url: 'https://airtable.com/appTest0000000000/tblEvents00000000/recV7kQ2mXw4Tn9Lb',
      },
    ],
  });
});

test('of a table that is known by its name the base is linked', () => {
  const health = toTableHealth(
    { lastRead, lastFailure: null, isFailing: false },
    { ...table, table: 'Events' },
  );
  expect(health.rows?.[0]?.url).toBe('https://airtable.com/appTest0000000000');
});

test('a failure is said in our own words, and is over once a later read has worked', () => {
  const failed = (isFailing: boolean, reason = 'rate_limited (429)') =>
    toTableHealth({ lastRead, lastFailure: { atMs: 4_000, reason }, isFailing }, table).failure;
  expect(failed(false)).toMatchObject({
    isOver: true,
    reason: expect.stringContaining('too many requests'),
  });
  expect(failed(true)).toMatchObject({ isOver: false });
  expect(failed(true, 'rows_rejected: Name is empty or invalid in 9 of 9 rows')).toMatchObject({
    reason: expect.stringMatching(/^Name is empty or invalid in 9 of 9 rows\. .*--accept-table/),
  });
  const unknown = { atMs: 1, reason: 'unexpected_status (418)' };
  const neverRead = { lastRead: null, lastFailure: unknown, isFailing: true };
  expect(toTableHealth(neverRead, table)).toMatchObject({
    readAtMs: null,
    events: null,
    rows: [],
    failure: { reason: 'unexpected status (418).', isOver: false },
  });
});
