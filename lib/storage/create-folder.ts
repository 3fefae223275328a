import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { toErrorCode } from './storage-error.ts';

/**
 * Creates a folder that only this user can read, with its parents. Node's recursive `mkdir` never ends where an
 * existing parent takes no folders and the system says ENOENT, as below `/proc`.
 */
export function createFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = toErrorCode(error);
    if (code === 'EEXIST' && isFolder(path)) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || isFolder(parent)) throw error;
    createFolder(parent);
    createFolder(path);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
