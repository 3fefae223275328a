import { expect, test } from 'vitest';
import { waitForDatabase } from '#lib/storage/wait-for-database.ts';

const unavailable = { message: 'Keys cannot be checked', reason: 'keys_unreadable' };

test.for([
  ['hangs', () => new Promise<never>(() => {})],
  ['fails', async () => Promise.reject(new Error('canary'))],
] as const)('a query that %s is a 503 with Retry-After', async ([, query]) => {
  await expect(waitForDatabase(query(), unavailable)).rejects.toMatchObject({
    status: 503,
    message: 'Keys cannot be checked at the moment. Try again in a few seconds.',
    headers: { 'Retry-After': '2' },
    reason: 'keys_unreadable',
  });
});

test('a query in time has its result', async () => {
  expect(await waitForDatabase(Promise.resolve(3), unavailable)).toBe(3);
});
