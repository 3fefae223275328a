import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from './create-folder.ts';
import { toErrorCode } from './storage-error.ts';

// Closing any descriptor of a file drops all locks that the process has on it, those of SQLite, too: another program
// then takes itself for the last user of the database and deletes its log (https://sqlite.org/howtocorrupt.html, 2.2).
// So only SQLite opens what exists; this module creates the file, and looks at it by its path.

/** The path of the embedded database. Only SQLite may open it. */
export function toSqlitePath(dataDir: string): string {
  return join(dataDir, 'marquee.db');
}

/**
 * Creates an empty database where there is none, readable by this user only: SQLite gives its side files the same mode.
 * Of several processes that start together, one creates it.
 */
export function createSqliteFile(dataDir: string): void {
  createFolder(dataDir);
  const path = toSqlitePath(dataDir);
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (toErrorCode(error) !== 'EEXIST') throw error;
    // SQLite does not say why it cannot write to a file.
    accessSync(path, constants.R_OK | constants.W_OK);
  }
}

/** The inodes of the database, its write-ahead log and the index of that; null where there is no such file. */
export type FileIds = Readonly<Record<'database' | 'log' | 'index', number | null>>;

export async function readFileIds(dataDir: string): Promise<FileIds> {
  const path = toSqlitePath(dataDir);
  const [database = null, log = null, index = null] = await Promise.all(
    ['', '-wal', '-shm'].map(async (suffix) => {
      const file = await stat(/* turbopackIgnore: true */ path + suffix).catch(() => null);
      return file?.ino ?? null;
    }),
  );
  return { database, log, index };
}

/**
 * `same`: what a process has open is what others open. `log-removed`: nobody else uses a log, so closing the database
 * loses nothing. `log-replaced`: another program has begun a log of its own, and to write this one would destroy what
 * is in it. `removed`: the database itself was removed or replaced.
 */
export type FileState = 'same' | 'log-removed' | 'log-replaced' | 'removed';

export function compareFiles(open: FileIds, found: FileIds): FileState {
  if (found.database !== open.database) return 'removed';
  const sideFiles = ['log', 'index'] as const;
  const changed = sideFiles.filter((name) => found[name] !== open[name]);
  if (changed.length === 0) return 'same';
  return changed.every((name) => found[name] === null) ? 'log-removed' : 'log-replaced';
}
