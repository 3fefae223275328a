import { expect, test } from 'vitest';
import { respondWithCsv } from '#lib/accounts/files/csv-file.ts';
import { readByOffset, toPages } from '#lib/accounts/files/file-response.ts';
import { respondWithJson } from '#lib/accounts/files/json-file.ts';

const columns = { number: (number: number) => number };

test('between two parts of a file, everything else has a turn of the event loop', async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  async function* write() {
    // All of them are known: nothing is waited for.
    for (let number = 0; number < 50; number += 1) yield [number];
  }
  const response = await respondWithCsv('numbers', columns, write());
  setImmediate(count);
  const lines = (await response.text()).split('\r\n');
  isDone = true;
  expect(lines).toHaveLength(52);
  expect(turns).toBeGreaterThan(50);
});

test('what fails before the first rows are read is an error, and no file', async () => {
  const failed = new Error('The database is away.');
  async function* fail(): AsyncGenerator<number[]> {
    yield await Promise.reject(failed);
  }
  await expect(respondWithCsv('numbers', columns, fail())).rejects.toBe(failed);
});

test('a file without rows has its columns, and JSON empty lists', async () => {
  const none = () => toPages([]);
  expect(await (await respondWithCsv('none', columns, none())).text()).toBe('number\r\n');
  const json = await respondWithJson('none', { of: 'you' }, { first: none(), second: none() });
  expect(await json.json()).toEqual({ of: 'you', first: [], second: [] });
});

test('what is read by offsets comes once, whatever its length', async () => {
  for (const length of [0, 1, 249, 250, 251, 500]) {
    const all = Array.from({ length }, (_, number) => ({ number }));
    const pages = readByOffset(async ({ limit, offset }) => all.slice(offset, offset + limit));
    const file = await respondWithJson('all', { length }, { all: pages });
    expect(await file.json()).toEqual({ length, all });
  }
});
