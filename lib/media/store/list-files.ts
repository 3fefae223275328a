import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

type IndexedFile = Readonly<{ group: string; name: string; bytes: number; usedAtMs: number }>;

/** What files are called while they are written. */
export const temporaryPrefix = '.writing-';
const temporaryAgeMaxMs = 60 * 60 * 1000;

/**
 * The files of a folder's groups, those used least recently first. What a process that died left half
 * written is removed.
 * @throws where the folder cannot be read.
 */
export async function indexFolder(folder: string): Promise<IndexedFile[]> {
  const files: IndexedFile[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith(temporaryPrefix)) await removeStale(join(folder, entry.name));
    else if (entry.isDirectory()) files.push(...(await listFiles(folder, entry.name)));
  }
  return files.sort((a, b) => a.usedAtMs - b.usedAtMs);
}

/** The files of one group; none where it is not there. */
export async function listFiles(folder: string, group: string): Promise<IndexedFile[]> {
  const names = await readdir(join(folder, group)).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, group, name)).catch(() => null);
      if (found === null || !found.isFile()) return null;
      return { group, name, bytes: found.size, usedAtMs: found.mtimeMs };
    }),
  );
  return files.filter((file) => file !== null);
}

// Another process with the same folder may be writing right now.
async function removeStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs < temporaryAgeMaxMs) return;
  await rm(path, { force: true }).catch(() => {});
}
