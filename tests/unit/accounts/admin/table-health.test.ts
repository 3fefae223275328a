import { expect, test } from 'vitest';
import { toTableHealth } from '#lib/accounts/admin/table-health.ts';

const problem = {
  column: 'URL',
  done: 'repaired',
  reason: 'not_a_web_url',
  count: 1,
  rows: [{ recordId: 'recV7kQ2mXw4Tn9Lb', value: 'javascript:alert(1)' }],
} as const;
const lastRead = {
  readAtMs: 5_000,
  events: 12,
  repairs: { 'repaired.not_a_web_url': 1, 'leftOut.no_name': 2 },
  problems: [{ ...problem, rows: [...problem.rows] }],
};
const table = { baseId: 'appTest0000000000', table: 'tblEvents00000000' };

test('problems are listed with what to do, and their rows with a link to the record', () => {
  expect(toTableHealth({ lastRead, lastFailure: null, isFailing: false }, table)).toMatchObject({
    readAtMs: 5_000,
    events: 12,
    leftOut: 2,
    repaired: 1,
    failure: null,
    problems: [
      {
        column: 'URL',
        isLeftOut: false,
        count: 1,
        meaning: 'no URL; ignored',
        advice: expect.stringContaining('https://'),
        rows: [
          {
            value: 'javascript:alert(1)',
            url: 'https://airtable.com/appTest0000000000/tblEvents00000000/recV7kQ2mXw4Tn9Lb',
          },
        ],
      },
    ],
  });
});

test('of a table that is known by its name the base is linked', () => {
  const health = toTableHealth(
    { lastRead, lastFailure: null, isFailing: false },
    { ...table, table: 'Events' },
  );
  expect(health.problems[0]?.rows[0]?.url).toBe('https://airtable.com/appTest0000000000');
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
    problems: [],
    failure: { reason: 'unexpected status (418).', isOver: false },
  });
});
