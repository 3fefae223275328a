import { hash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Log } from '#lib/http/log.ts';
import { indexFolder, listFiles, temporaryPrefix } from './list-files.ts';

type Bytes = Uint8Array<ArrayBuffer>;
export type StoredFile = Readonly<{ bytes: Bytes; etag: string }>;

/** Where a file lies: `{group}/{name}`. Both are ours, never a caller's text. */
export type FileKey = Readonly<{
  group: string;
  name: string;
  /** Wanted seldom: it takes no room in memory from others, unless the disk does not take it. */
  isRare?: true;
}>;

/** Files that could be made again, kept in a folder up to a bound; those used least recently go first. */
export type FileStore = Readonly<{
  /** Resolves once what the folder held at the start is known; never rejects. */
  ready: Promise<void>;
  /** The file, where it is at hand in memory. */
  peek: (key: FileKey) => StoredFile | undefined;
  read: (key: FileKey) => Promise<StoredFile | null>;
  /** Keeps a file: on disk, or in memory alone where the disk takes nothing. Never rejects. */
  write: (key: FileKey, bytes: Uint8Array) => Promise<StoredFile>;
  /** Names of the files of a group, those of other processes with the same folder among them. */
  list: (group: string) => Promise<string[]>;
  /** Groups that were known at the start, with the names of their files. */
  groups: () => ReadonlyMap<string, ReadonlySet<string>>;
  /** Drops a file that turned out to be broken. */
  remove: (key: FileKey) => Promise<void>;
  /** Counts as a use, so that a file outlives others. */
  touch: (key: FileKey) => void;
  /** The share of the bound that is in use, 0 to 1. */
  fullness: () => number;
}>;

export type FileStoreOptions = Readonly<{
  folder: string;
  /** Bound on disk; files of other processes with the same folder count once they were met. */
  bytesMax: number;
  memoryBytesMax: number;
  log: Log;
}>;

export function createFileStore(options: FileStoreOptions): FileStore {
  const { folder, bytesMax, memoryBytesMax, log } = options;
  const groups = new Map<string, Set<string>>();
  const memory = new LRUCache<string, StoredFile>({
    maxSize: Math.max(1, memoryBytesMax),
    sizeCalculation: ({ bytes }) => bytes.length + 512,
  });
  // Sizes by path; what it drops for want of room goes from the disk too.
  const index = new LRUCache<string, number>({
    maxSize: Math.max(1, bytesMax),
    sizeCalculation: (size) => Math.max(1, size),
    dispose: (_, path, reason) => {
      forget(path);
      if (reason === 'evict') rm(join(folder, path), { force: true }).catch(() => {});
    },
  });
  let hasWarned = false;

  const ready = indexFolder(folder).then((files) => {
    for (const { group, name, bytes } of files) note({ group, name }, bytes);
  }, ignoreMissing);

  function note({ group, name }: FileKey, size: number): void {
    index.set(toPath({ group, name }), size);
    const names = groups.get(group) ?? new Set();
    groups.set(group, names.add(name));
  }

  function forget(path: string): void {
    const [group = '', name = ''] = path.split('/');
    const names = groups.get(group);
    names?.delete(name);
    if (names?.size === 0) groups.delete(group);
  }

  async function read(key: FileKey): Promise<StoredFile | null> {
    const path = toPath(key);
    const known = peek(key);
    if (known !== undefined) return known;
    const bytes = await readFile(join(folder, path)).catch(() => null);
    if (bytes === null || bytes.length === 0) {
      index.delete(path);
      return null;
    }
    // What a restart finds is in the order of last use, too.
    const now = new Date();
    utimes(join(folder, path), now, now).catch(() => {});
    note(key, bytes.length);
    const file = toStoredFile(bytes);
    if (key.isRare !== true) memory.set(path, file);
    return file;
  }

  async function write(key: FileKey, given: Uint8Array): Promise<StoredFile> {
    const bytes = Buffer.from(given);
    const file = toStoredFile(bytes);
    const isOnDisk = await writeToDisk(key, bytes);
    if (key.isRare !== true || !isOnDisk) memory.set(toPath(key), file);
    return file;
  }

  async function writeToDisk(key: FileKey, bytes: Bytes): Promise<boolean> {
    if (bytes.length > bytesMax) return false;
    try {
      await writeAtomically(folder, key, bytes);
      note(key, bytes.length);
      hasWarned = false;
      return true;
    } catch (error) {
      if (!hasWarned) log.warn({ reason: toCode(error) }, 'pictures cannot be kept on disk');
      hasWarned = true;
      return false;
    }
  }

  function peek(key: FileKey): StoredFile | undefined {
    const file = memory.get(toPath(key));
    if (file !== undefined) index.get(toPath(key));
    return file;
  }

  return {
    ready,
    peek,
    read,
    write,
    async list(group) {
      for (const { name, bytes } of await listFiles(folder, group)) note({ group, name }, bytes);
      return [...(groups.get(group) ?? [])];
    },
    async remove(key) {
      const path = toPath(key);
      memory.delete(path);
      index.delete(path);
      await rm(join(folder, path), { force: true }).catch(() => {});
    },
    groups: () => groups,
    touch: (key) => void index.get(toPath(key)),
    fullness: () => (index.calculatedSize ?? 0) / bytesMax,
  };
}

function toStoredFile(bytes: Bytes): StoredFile {
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"` };
}

function toPath({ group, name }: FileKey): string {
  return `${group}/${name}`;
}

// Nobody ever sees half a file: it is written beside, and then takes its name in one step.
async function writeAtomically(folder: string, key: FileKey, bytes: Bytes): Promise<void> {
  const temporary = join(folder, `${temporaryPrefix}${randomUUID()}`);
  await mkdir(join(folder, key.group), { recursive: true });
  try {
    await writeFile(temporary, bytes, { flag: 'wx' });
    await rename(temporary, join(folder, toPath(key)));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

// A folder that cannot be read is one that holds nothing: the first write says what is wrong with it.
function ignoreMissing(): void {}

function toCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
