import { hash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Log } from '#lib/http/log.ts';
import { createFolder } from '#lib/storage/create-folder.ts';

type Bytes = Uint8Array<ArrayBuffer>;
export type StoredFile = Readonly<{ bytes: Bytes; etag: string }>;

/** The path `{group}/{name}`. Neither part may come from a request unchecked. */
type FileKey = Readonly<{
  group: string;
  name: string;
  /** Stores the file on disk only, unless writing to disk fails. */
  skipMemory?: true;
}>;

/** Files that can be created again, on disk with a part of them in memory. Processes may share the folder. */
export type FileStore = Readonly<{
  /** The file, if it is in memory. */
  peek: (key: FileKey) => StoredFile | undefined;
  read: (key: FileKey) => Promise<StoredFile | null>;
  /** Stores a file on disk, or in memory only where the disk fails. Never rejects. */
  write: (key: FileKey, bytes: Uint8Array) => Promise<StoredFile>;
  /** Names of a group's files; none if it cannot be read. */
  list: (group: string) => Promise<string[]>;
  listGroups: () => Promise<string[]>;
  /** Deletes a file, such as a damaged one. */
  remove: (key: FileKey) => Promise<void>;
  removeGroup: (group: string) => Promise<void>;
}>;

export type FileStoreOptions = Readonly<{ folder: string; memoryBytesMax: number; log: Log }>;

/** Prefix of files that are being written. */
const temporaryPrefix = '.writing-';
const temporaryAgeMaxMs = 60 * 60 * 1000;

/** Opens a store; nothing is created in the folder before the first write. */
export function createFileStore({ folder, memoryBytesMax, log }: FileStoreOptions): FileStore {
  const memory = new LRUCache<string, StoredFile>({
    maxSize: Math.max(1, memoryBytesMax),
    sizeCalculation: ({ bytes }) => bytes.length + 512,
  });
  let hasWarned = false;

  async function writeToDisk(key: FileKey, bytes: Bytes): Promise<boolean> {
    try {
      await writeAtomically(folder, key, bytes);
      hasWarned = false;
      return true;
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code;
      if (!hasWarned) log.warn({ reason }, 'pictures cannot be stored on disk');
      hasWarned = true;
      return false;
    }
  }

  const list = (group: string) => readdir(join(folder, group)).catch(() => []);

  return {
    peek: (key) => memory.get(toPath(key)),
    async read(key) {
      const path = toPath(key);
      const cached = memory.get(path);
      if (cached !== undefined) return cached;
      const bytes = await readFile(join(folder, path)).catch(() => null);
      if (bytes === null || bytes.length === 0) return null;
      const file = toStoredFile(bytes);
      if (key.skipMemory !== true) memory.set(path, file);
      return file;
    },
    async write(key, content) {
      const bytes = Buffer.from(content);
      const file = toStoredFile(bytes);
      const isOnDisk = await writeToDisk(key, bytes);
      if (key.skipMemory !== true || !isOnDisk) memory.set(toPath(key), file);
      return file;
    },
    list,
    async listGroups() {
      const names = await list('');
      const temporary = names.filter((name) => name.startsWith(temporaryPrefix));
      for (const name of temporary) await removeStale(join(folder, name));
      return names.filter((name) => !name.startsWith('.'));
    },
    async remove(key) {
      memory.delete(toPath(key));
      await rm(join(folder, toPath(key)), { force: true }).catch(() => {});
    },
    async removeGroup(group) {
      for (const name of await list(group)) memory.delete(toPath({ group, name }));
      await rm(join(folder, group), { recursive: true, force: true }).catch(() => {});
    },
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

// A crashed process left it. A young one may belong to another process that shares the folder.
async function removeStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs < temporaryAgeMaxMs) return;
  await rm(path, { force: true }).catch(() => {});
}
