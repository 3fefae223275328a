import { cp, readFile, rm, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { listBuilds, staticFilesFolder } from '#lib/server/static-files.ts';

/** This build and the two before it. */
const buildsMax = 3;

/**
 * Runs after `next build`, which deletes the static files of the build before: a page that is open during an upgrade
 * still loads its scripts and styles.
 */
export async function keepStaticFiles(root: string): Promise<void> {
  const id = (await readFile(join(root, '.next/BUILD_ID'), 'utf8')).trim();
  const folder = join(root, staticFilesFolder, id);
  await cp(join(root, '.next/static'), folder, { recursive: true, preserveTimestamps: true });
  const now = new Date();
  await utimes(folder, now, now);
  for (const old of (await listBuilds(root)).slice(buildsMax)) {
    await rm(old, { recursive: true, force: true });
  }
}

if (import.meta.main) await keepStaticFiles(resolve(import.meta.dirname, '../../..'));
