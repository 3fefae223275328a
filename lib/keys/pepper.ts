import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from '#lib/storage/create-folder.ts';
import { StorageError, toErrorCode, toFileError } from '#lib/storage/storage-error.ts';

type PepperOptions = Readonly<{
  /** The setting; null: a file in `dataDir`, created by the first process. */
  keyPepper: string | null;
  dataDir: string;
}>;

const format = /^[\w-]{43}$/;

/**
 * The secret of the key hashes. Without it, no stored key is recognized. @throws StorageError if
 * its file cannot be read or created.
 */
export function loadPepper(options: PepperOptions): string {
  return findPepper(options) ?? readPepper(options.dataDir, makePepper) ?? '';
}

/** The same, if it is there. Creates nothing. */
export function findPepper({ keyPepper, dataDir }: PepperOptions): string | null {
  return keyPepper ?? readPepper(dataDir, readIfThere);
}

function readPepper(dataDir: string, read: (path: string) => string | null): string | null {
  try {
    const pepper = read(join(dataDir, 'pepper'))?.trim() ?? null;
    if (pepper === null || format.test(pepper)) return pepper;
  } catch (error) {
    throw toFileError(error, dataDir);
  }
  throw new StorageError(
    `DATA_DIR is ${JSON.stringify(dataDir)}, but the file pepper in it is damaged: restore it, or no key will be known again.`,
    { code: 'DAMAGED_PEPPER' },
  );
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (toErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Written to a temporary file and then linked: of processes that start at once one wins, and none
 * reads half a file.
 */
function makePepper(path: string): string {
  createFolder(dirname(path));
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const pepper = `${randomBytes(32).toString('base64url')}\n`;
    writeFileSync(aside, pepper, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(aside, path);
  } catch (error) {
    if (toErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return readFileSync(path, 'utf8');
}
