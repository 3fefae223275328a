import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

/**
 * `npm run sbom`: what the server runs on, in CycloneDX. npm’s `--omit dev` also leaves out what both the server and
 * a development tool need, so it gets a lockfile without development dependencies.
 */
function printSbom(): number {
  const temporary = mkdtempSync(join(tmpdir(), 'marquee-sbom-'));
  // npm takes the name of the application from it.
  const folder = join(temporary, 'marquee');
  try {
    mkdirSync(folder);
    const { devDependencies: _, ...manifest } = readJson('package.json');
    const lock = readJson('package-lock.json');
    const packages = Object.entries<{ dev?: true; devOptional?: true }>(lock.packages)
      .filter(([, { dev, devOptional }]) => !dev && !devOptional)
      .map(([path, entry]) => [path, path === '' ? { ...entry, devDependencies: {} } : entry]);
    const files = {
      'package.json': manifest,
      'package-lock.json': { ...lock, packages: Object.fromEntries(packages) },
    };
    for (const [name, value] of Object.entries(files)) {
      writeFileSync(join(folder, name), JSON.stringify(value));
    }
    const args = [
      'sbom',
      '--package-lock-only',
      '--sbom-format=cyclonedx',
      '--sbom-type=application',
    ];
    const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
    return status ?? 1;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

function readJson(name: string) {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}

process.exitCode = printSbom();
