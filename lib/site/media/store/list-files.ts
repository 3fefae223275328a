import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

type ListedFile = Readonly<{ group: string; name: string; bytes: number; usedAtMs: number }>;

/** Prefix of files that are being written. */
export const temporaryPrefix = '.writing-';
const temporaryAgeMaxMs = 60 * 60 * 1000;

/**
 * Lists the files of all groups, least recently used first, and removes temporary files that a crashed
 * process left behind.
 * @throws where the folder cannot be read.
 */
export async function listAllFiles(folder: string): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith(temporaryPrefix)) await removeStale(join(folder, entry.name));
    else if (entry.isDirectory()) files.push(...(await listFiles(folder, entry.name)));
  }
  return files.sort((a, b) => a.usedAtMs - b.usedAtMs);
}

/** Lists the files of one group; empty if the group does not exist. */
export async function listFiles(folder: string, group: string): Promise<ListedFile[]> {
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

// A young one may belong to another process that shares the folder.
async function removeStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs < temporaryAgeMaxMs) return;
  await rm(path, { force: true }).catch(() => {});
}
