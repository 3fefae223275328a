import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';
import { makeTemporaryFolder } from '../temporary-folder.ts';

/** A file system of its own that a test fills up; the test is skipped where that takes more rights. */
export function mountSmallDisk({ skip }: TestContext, megabytes: number) {
  const folder = makeTemporaryFolder();
  const { path } = folder;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', path], {
      stdio: 'pipe',
    });
  } catch {
    folder[Symbol.dispose]();
    return skip('a disk can be mounted by root only');
  }
  onTestFinished(() => {
    // Lazy: SQLite may still have its files open.
    execFileSync('umount', ['--lazy', path]);
    folder[Symbol.dispose]();
  });
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (;;) writeSync(file, Buffer.alloc(4096));
      } catch {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
    /** Works only while nothing there is open. */
    makeReadOnly() {
      execFileSync('mount', ['-o', 'remount,ro', path]);
    },
  };
}
