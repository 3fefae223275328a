import { statSync } from 'node:fs';

const readableByOthers = 0o004;

/** A warning if other users of this machine may read a file of secrets; null if not, or there is none. */
export function findExposedFile(path: string): string | null {
  const mode = statSync(/* turbopackIgnore: true */ path, { throwIfNoEntry: false })?.mode ?? 0;
  // Windows has no such bits, and Node makes them up.
  if (process.platform === 'win32' || (mode & readableByOthers) === 0) return null;
  return `Every user of this machine can read the secrets in ${path}: chmod 600 ${path}`;
}

/** Adds the variables of `.env` in the working directory, if there is one, to those that are set already. */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
