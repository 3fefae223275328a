import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryPrefix } from './list-files.ts';

/** A process that holds a claim for longer has ended: fetching and decoding a picture takes less. */
const claimMaxMs = 30_000;

/** Gives a claim back. */
export type Release = () => Promise<void>;

/**
 * Claims work on a group of files for one of the processes that share a folder.
 * @returns null while another process has it. Where nothing can be written, everyone gets it.
 */
export async function claimGroup(folder: string, group: string): Promise<Release | null> {
  const path = join(folder, `${temporaryPrefix}claim-${group}`);
  const remove = () => rm(path, { force: true });
  const release = () => remove().catch(() => {});
  await mkdir(folder, { recursive: true }).catch(() => {});
  try {
    await writeFile(path, '', { flag: 'wx' });
    return release;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return release;
  }
  const found = await stat(path).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs <= claimMaxMs) return null;
  return remove().then(
    () => null,
    // The disk has become read-only since.
    () => release,
  );
}
