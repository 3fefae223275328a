import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is deleted with its scope. */
export function makeTemporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'marquee-test-'));
  return {
    path,
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** The path of a folder that is deleted after the test. */
export function makeTestFolder(): string {
  const folder = makeTemporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder.path;
}
