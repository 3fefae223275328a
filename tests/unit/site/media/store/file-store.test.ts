import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileStore, type FileStoreOptions } from '#lib/site/media/store/file-store.ts';
import { makeTestFolder } from '../../../../support/temporary-folder.ts';
import { createTestLog } from '../../../../support/test-log.ts';

function openStore(folder: string, options: Partial<FileStoreOptions> = {}) {
  const log = createTestLog();
  return { log, ...createFileStore({ folder, log, memoryBytesMax: 100_000, ...options }) };
}

/** Memory too small for any file. */
const diskOnly = { memoryBytesMax: 1 };
const kilobyte = (fill: string) => Buffer.alloc(1000, fill);

test('a file survives a restart with the same ETag', async () => {
  const folder = makeTestFolder();
  const first = openStore(folder);
  const { etag } = await first.write({ group: 'a', name: 'one' }, Buffer.from('1'));
  const second = openStore(folder);
  expect(await second.listGroups()).toEqual(['a']);
  expect(await second.list('a')).toEqual(['one']);
  expect(await second.read({ group: 'a', name: 'one' })).toMatchObject({
    bytes: Buffer.from('1'),
    etag,
  });
});

test('two stores with one folder see each other’s files', async () => {
  const folder = makeTestFolder();
  const [first, second] = [openStore(folder), openStore(folder)];
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

test('memory is bounded too', async () => {
  const folder = makeTestFolder();
  const store = openStore(folder, { memoryBytesMax: 4000 });
  for (const name of ['one', 'two', 'three'])
    await store.write({ group: 'a', name }, kilobyte('x'));
  expect(store.peek({ group: 'a', name: 'one' })).toBeUndefined();
  expect(store.peek({ group: 'a', name: 'three' })).toBeDefined();
});

test('skipMemory stores a file on disk only, unless that fails', async () => {
  const folder = makeTestFolder();
  const key = { group: 'a', name: 'one', skipMemory: true } as const;
  const store = openStore(folder);
  await store.write(key, kilobyte('x'));
  expect(store.peek(key)).toBeUndefined();
  expect(await store.read(key)).not.toBeNull();
  expect(store.peek(key)).toBeUndefined();
  writeFileSync(join(folder, 'in-the-way'), '');
  const failing = openStore(join(folder, 'in-the-way'));
  await failing.write(key, kilobyte('x'));
  expect(failing.peek(key)).toBeDefined();
});

test('without a writable folder memory is used, and one line is logged', async () => {
  // A file where the folder should be: root may write into a read-only folder.
  const folder = join(makeTestFolder(), 'media');
  writeFileSync(folder, 'in the way');
  const store = openStore(folder);
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
  expect(await openStore(folder).listGroups()).toEqual([]);
  expect(readdirSync(folder)).toEqual(['.writing-young']);
});

test('a group is removed with its files, from memory too', async () => {
  const folder = makeTestFolder();
  const store = openStore(folder);
  await store.write({ group: 'a', name: 'one' }, Buffer.from('1'));
  await store.removeGroup('a');
  expect(await store.read({ group: 'a', name: 'one' })).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
});

test('an empty file and a folder in a file’s place count as missing', async () => {
  const folder = makeTestFolder();
  mkdirSync(join(folder, 'a/one'), { recursive: true });
  writeFileSync(join(folder, 'a/two'), '');
  const store = openStore(folder);
  expect(await store.read({ group: 'a', name: 'one' })).toBeNull();
  expect(await store.read({ group: 'a', name: 'two' })).toBeNull();
});
