import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readDockerfile } from './dockerfile.ts';

const root = resolve(import.meta.dirname, '../../..');

/** A copy of what an image is built from, with the modules of this checkout, in a new folder. Returns its path. */
export function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-image-'));
  chmodSync(folder, 0o755);
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .map((line) => line.replace(/\/$/, ''));
  for (const name of readdirSync(root)) {
    if (!ignored.includes(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  execFileSync('cp', ['-al', join(root, 'node_modules'), folder]);
  // What tools keep beside the modules is not there after `npm ci`.
  for (const name of readdirSync(join(folder, 'node_modules'))) {
    const isOfNpm = name === '.bin' || name === '.package-lock.json';
    if (name.startsWith('.') && !isOfNpm)
      rmSync(join(folder, 'node_modules', name), { recursive: true });
  }
  // npm writes this file in place, and must not reach the one of the checkout.
  const hidden = 'node_modules/.package-lock.json';
  cpSync(join(root, hidden), join(folder, `${hidden}.copy`));
  execFileSync('mv', ['-f', `${hidden}.copy`, hidden], { cwd: folder });
  return folder;
}

/**
 * Does the steps of the Dockerfile's build stage in a new folder, and returns its path. `npm ci` and `npm run build`
 * are not repeated: the modules and the build of this checkout are linked instead.
 */
export function buildTree(): string {
  const folder = copySources();
  execFileSync('cp', ['-al', join(root, '.next'), folder]);
  execFileSync(process.execPath, ['lib/cli/build/keep-static-files.ts'], { cwd: folder });
  const [install, build, ...steps] = readDockerfile().buildSteps;
  if (install !== 'npm ci' || build !== 'npm run build') throw new Error('Unexpected steps.');
  for (const step of steps) execFileSync('sh', ['-c', step], { cwd: folder });
  return folder;
}

/** In bytes, without links. */
export function measureFolder(path: string, isIncluded: (path: string) => boolean): number {
  const list = execFileSync('find', [path, '-type', 'f', '-printf', '%s %P\\n'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return list
    .trim()
    .split('\n')
    .map((line) => /^(\d+) (.*)$/.exec(line) ?? [])
    .filter(([, , name = '']) => isIncluded(name))
    .reduce((sum, [, bytes]) => sum + Number(bytes), 0);
}
