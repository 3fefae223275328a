import { hash, randomUUID } from 'node:crypto';
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Log } from '#lib/http/log.ts';
import { createFolder } from '#lib/storage/create-folder.ts';
import { claimGroup, type Release } from './claim-file.ts';
import { listAllFiles, listFiles, temporaryPrefix } from './list-files.ts';

type Bytes = Uint8Array<ArrayBuffer>;
export type StoredFile = Readonly<{ bytes: Bytes; etag: string }>;

/** The path `{group}/{name}`. Neither part may come from a request unchecked. */
export type FileKey = Readonly<{
  group: string;
  name: string;
  /** Stores the file on disk only, unless writing to disk fails. */
  skipMemory?: true;
}>;

/** A bounded LRU cache of files that can be created again, on disk with a part of it in memory. */
export type FileStore = Readonly<{
  /** Resolves when the existing files are indexed; never rejects. */
  ready: Promise<void>;
  /** The file, if it is in memory. */
  peek: (key: FileKey) => StoredFile | undefined;
  read: (key: FileKey) => Promise<StoredFile | null>;
  /** Stores a file on disk, or in memory only where the disk fails. Never rejects. */
  write: (key: FileKey, bytes: Uint8Array) => Promise<StoredFile>;
  /** Names of a group's files, including those that other processes wrote. */
  list: (group: string) => Promise<string[]>;
  /** Claims the work on a group among the processes that share the folder; null while another one has it. */
  claim: (group: string) => Promise<Release | null>;
  /** The indexed groups with the names of their files. */
  groups: () => ReadonlyMap<string, ReadonlySet<string>>;
  /** Deletes a file, such as a damaged one. */
  remove: (key: FileKey) => Promise<void>;
  /** Marks a file as recently used. */
  touch: (key: FileKey) => void;
  /** Share of `bytesMax` in use, 0–1. */
  fullness: () => number;
}>;

export type FileStoreOptions = Readonly<{
  folder: string;
  /** On disk. Files of other processes with the same folder count once they have been read or listed. */
  bytesMax: number;
  memoryBytesMax: number;
  log: Log;
}>;

/** Opens a store; nothing is created in the folder before the first write. */
export function createFileStore(options: FileStoreOptions): FileStore {
  const { folder, bytesMax, memoryBytesMax, log } = options;
  const groups = new Map<string, Set<string>>();
  const memory = new LRUCache<string, StoredFile>({
    maxSize: Math.max(1, memoryBytesMax),
    sizeCalculation: ({ bytes }) => bytes.length + 512,
  });
  // Sizes by path. An evicted entry is deleted from disk too.
  const index = new LRUCache<string, number>({
    maxSize: Math.max(1, bytesMax),
    sizeCalculation: (size) => Math.max(1, size),
    dispose: (_, path, reason) => {
      removeFromGroup(path);
      if (reason === 'evict') rm(join(folder, path), { force: true }).catch(() => {});
    },
  });
  let hasWarned = false;

  const ready = listAllFiles(folder).then((files) => {
    for (const { group, name, bytes } of files) addToIndex({ group, name }, bytes);
  }, ignoreMissing);

  function addToIndex({ group, name }: FileKey, size: number): void {
    index.set(toPath({ group, name }), size);
    const names = groups.get(group) ?? new Set();
    groups.set(group, names.add(name));
  }

  function removeFromGroup(path: string): void {
    const [group = '', name = ''] = path.split('/');
    const names = groups.get(group);
    names?.delete(name);
    if (names?.size === 0) groups.delete(group);
  }

  async function read(key: FileKey): Promise<StoredFile | null> {
    const path = toPath(key);
    const cached = peek(key);
    if (cached !== undefined) return cached;
    const bytes = await readFile(join(folder, path)).catch(() => null);
    if (bytes === null || bytes.length === 0) {
      index.delete(path);
      return null;
    }
    // So that the LRU order survives a restart.
    const now = new Date();
    utimes(join(folder, path), now, now).catch(() => {});
    addToIndex(key, bytes.length);
    const file = toStoredFile(bytes);
    if (key.skipMemory !== true) memory.set(path, file);
    return file;
  }

  async function write(key: FileKey, content: Uint8Array): Promise<StoredFile> {
    const bytes = Buffer.from(content);
    const file = toStoredFile(bytes);
    const isOnDisk = await writeToDisk(key, bytes);
    if (key.skipMemory !== true || !isOnDisk) memory.set(toPath(key), file);
    return file;
  }

  async function writeToDisk(key: FileKey, bytes: Bytes): Promise<boolean> {
    if (bytes.length > bytesMax) return false;
    try {
      await writeAtomically(folder, key, bytes);
      addToIndex(key, bytes.length);
      hasWarned = false;
      return true;
    } catch (error) {
      if (!hasWarned)
        log.warn(
          { reason: (error as NodeJS.ErrnoException).code },
          'pictures cannot be stored on disk',
        );
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
      for (const { name, bytes } of await listFiles(folder, group))
        addToIndex({ group, name }, bytes);
      return [...(groups.get(group) ?? [])];
    },
    claim: (group) => claimGroup(folder, group),
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

// Writes a temporary file and renames it, so that readers never see a partial one.
async function writeAtomically(folder: string, key: FileKey, bytes: Bytes): Promise<void> {
  const temporary = join(folder, `${temporaryPrefix}${randomUUID()}`);
  createFolder(join(folder, key.group));
  try {
    await writeFile(temporary, bytes, { flag: 'wx' });
    await rename(temporary, join(folder, toPath(key)));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

// An unreadable folder counts as empty; the first write reports what is wrong.
function ignoreMissing(): void {}
