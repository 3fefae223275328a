import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from './create-folder.ts';
import { toFileError } from './storage-error.ts';

/** Pictures take up to 512 MB. */
export const freeBytesMin = 1024 ** 3;

/** The disk of DATA_DIR, where usage is recorded. */
export type Disk = Readonly<{
  /** @throws StorageError that says what is wrong, if nothing can be written there. */
  requireWritable: () => Promise<void>;
  /** NaN if the folder cannot be read. */
  measureFreeBytes: () => Promise<number>;
  /** What the last check found beside that: little is left. */
  findProblem: () => string | null;
}>;

/** More than a usage record takes, so that a disk counts as full before one fails. */
const probeBytes = 64 * 1024;

export function createDisk(dataDir: string): Disk {
  let freeBytes = Number.NaN;

  async function measureFreeBytes(): Promise<number> {
    return statfs(dataDir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Number.NaN,
    );
  }

  return {
    async requireWritable() {
      await probeDisk(dataDir);
      freeBytes = await measureFreeBytes();
    },
    measureFreeBytes,
    findProblem: () =>
      freeBytes < freeBytesMin ? `DATA_DIR has only ${toMegabytes(freeBytes)} free.` : null,
  };
}

/** Writes a file and deletes it. @throws StorageError that says what is wrong. */
export async function probeDisk(dataDir: string): Promise<void> {
  const path = join(dataDir, `.probe-${process.pid}`);
  try {
    createFolder(dataDir);
    await writeFile(path, Buffer.alloc(probeBytes));
  } catch (error) {
    throw toFileError(error, dataDir);
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

export function toMegabytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 ** 2)} MB`;
}
