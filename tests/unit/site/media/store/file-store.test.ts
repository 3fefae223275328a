import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFileStore, type FileStoreOptions } from '#lib/site/media/store/file-store.ts';
import { makeTestFolder } from '../../../../support/temporary-folder.ts';
import { createTestLog } from '../../../../support/test-log.ts';

function openStore(folder: string, options: Partial<FileStoreOptions> = {}) {
  const log = createTestLog();
  const bounds = { bytesMax: 10_000, memoryBytesMax: 100_000 };
  return { log, ...createFileStore({ folder, log, ...bounds, ...options }) };
}

/** Memory too small for any file. */
const diskOnly = { memoryBytesMax: 1 };
const kilobyte = (fill: string) => Buffer.alloc(1000, fill);

test('a file survives a restart with the same ETag', async () => {
  const folder = makeTestFolder();
  const first = openStore(folder);
  const { etag } = await first.write({ group: 'a', name: 'one' }, Buffer.from('1'));
  const second = openStore(folder);
  await second.ready;
  expect([...second.groups()].map(([group, names]) => [group, [...names]])).toEqual([
    ['a', ['one']],
  ]);
  expect(await second.read({ group: 'a', name: 'one' })).toMatchObject({
    bytes: Buffer.from('1'),
    etag,
  });
});

test('two stores with one folder see each other’s files', async () => {
  const folder = makeTestFolder();
  const [first, second] = [openStore(folder), openStore(folder)];
  await Promise.all([first.ready, second.ready]);
  await first.write({ group: 'a', name: 'one' }, Buffer.from('1'));
  expect(await second.list('a')).toEqual(['one']);
  expect(await second.read({ group: 'a', name: 'one' })).not.toBeNull();
  await first.remove({ group: 'a', name: 'one' });
  const third = openStore(folder, diskOnly);
  expect(await third.read({ group: 'a', name: 'one' })).toBeNull();
});

test('concurrent writes of one file never show a partial one', async () => {
  const folder = makeTestFolder();
  const stores = [openStore(folder, diskOnly), openStore(folder, diskOnly)];
  const bytes = Buffer.alloc(9000, 'x');
  const key = { group: 'a', name: 'one' };
  const reader = openStore(folder, diskOnly);
  const reads: number[] = [];
  const writing = Promise.all(
    Array.from({ length: 40 }, (_, index) => stores[index % 2]?.write(key, bytes)),
  );
  for (let turn = 0; turn < 40; turn++) {
    const file = await reader.read(key);
    if (file !== null) reads.push(file.bytes.length);
  }
  await writing;
  expect(new Set([...reads, (await reader.read(key))?.bytes.length])).toEqual(new Set([9000]));
  expect(readdirSync(folder)).toEqual(['a']);
});

test('the least recently used file is evicted, from disk too', async () => {
  const folder = makeTestFolder();
  const store = openStore(folder, { bytesMax: 3000, ...diskOnly });
  for (const name of ['one', 'two', 'three']) {
    await store.write({ group: name, name }, kilobyte(name));
  }
  store.touch({ group: 'one', name: 'one' });
  await store.write({ group: 'four', name: 'four' }, kilobyte('four'));
  await expect.poll(() => existsSync(join(folder, 'two/two'))).toBe(false);
  expect(await store.read({ group: 'one', name: 'one' })).not.toBeNull();
  expect(await store.read({ group: 'two', name: 'two' })).toBeNull();
  expect(store.groups().has('two')).toBe(false);
  expect(store.fullness()).toBe(1);
});

test('the LRU order survives a restart', async () => {
  const folder = makeTestFolder();
  const first = openStore(folder, diskOnly);
  for (const [index, name] of ['one', 'two', 'three', 'four'].entries()) {
    await first.write({ group: name, name }, kilobyte(name));
    utimesSync(join(folder, name, name), 1000 + index, 1000 + index);
  }
  await first.read({ group: 'one', name: 'one' });
  await delay(20);
  const second = openStore(folder, { bytesMax: 2000, ...diskOnly });
  await second.ready;
  expect([...second.groups().keys()].toSorted()).toEqual(['four', 'one']);
  await expect.poll(() => existsSync(join(folder, 'two/two'))).toBe(false);
});

test('memory is bounded too', async () => {
  const folder = makeTestFolder();
  const store = openStore(folder, { memoryBytesMax: 4000 });
  for (const name of ['one', 'two', 'three'])
    await store.write({ group: 'a', name }, kilobyte('x'));
  expect(store.peek({ group: 'a', name: 'one' })).toBeUndefined();
  expect(store.peek({ group: 'a', name: 'three' })).toBeDefined();
});

test('skipMemory stores a file on disk only, unless it does not fit there', async () => {
  const folder = makeTestFolder();
  const key = { group: 'a', name: 'one', skipMemory: true } as const;
  const store = openStore(folder);
  await store.write(key, kilobyte('x'));
  expect(store.peek(key)).toBeUndefined();
  expect(await store.read(key)).not.toBeNull();
  expect(store.peek(key)).toBeUndefined();
  const small = openStore(folder, { bytesMax: 10 });
  await small.write(key, kilobyte('x'));
  expect(small.peek(key)).toBeDefined();
});

test('a file larger than the bound is stored in memory only', async () => {
  const folder = makeTestFolder();
  const store = openStore(folder, { bytesMax: 100 });
  await store.write({ group: 'a', name: 'one' }, kilobyte('x'));
  expect(existsSync(join(folder, 'a'))).toBe(false);
  expect(store.peek({ group: 'a', name: 'one' })).toBeDefined();
});

test('without a writable folder memory is used, and one line is logged', async () => {
  // A file where the folder should be: root may write into a read-only folder.
  const folder = join(makeTestFolder(), 'media');
  writeFileSync(folder, 'in the way');
  const store = openStore(folder);
  await store.ready;
  for (const name of ['one', 'two', 'three'])
    await store.write({ group: 'a', name }, kilobyte('x'));
  expect(await store.read({ group: 'a', name: 'two' })).not.toBeNull();
  expect(store.log.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'pictures cannot be stored on disk'],
  ]);
});

test('a temporary file of a crashed process is removed once it is old', async () => {
  const folder = makeTestFolder();
  const [old, young] = [join(folder, '.writing-old'), join(folder, '.writing-young')];
  writeFileSync(old, 'x');
  writeFileSync(young, 'x');
  utimesSync(old, 1000, 1000);
  await openStore(folder).ready;
  expect(readdirSync(folder)).toEqual(['.writing-young']);
});

test('an empty file and a folder in a file’s place count as missing', async () => {
  const folder = makeTestFolder();
  mkdirSync(join(folder, 'a/one'), { recursive: true });
  writeFileSync(join(folder, 'a/two'), '');
  const store = openStore(folder);
  await store.ready;
  expect(await store.read({ group: 'a', name: 'one' })).toBeNull();
  expect(await store.read({ group: 'a', name: 'two' })).toBeNull();
});
