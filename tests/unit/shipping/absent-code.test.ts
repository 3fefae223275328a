import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** What the code that serves requests does not do. */

const root = resolve(import.meta.dirname, '../../..');
const served = globSync(['app/**/*.{ts,tsx}', 'lib/**/*.{ts,tsx}', 'proxy.ts'], { cwd: root })
  .filter((path) => !/^lib\/(?:cli|demo)\//.test(path))
  .toSorted();

function findFilesWith(pattern: RegExp): string[] {
  return served.filter((path) => pattern.test(readFileSync(join(root, path), 'utf8')));
}

// ASVS 1.2.5
test('no request runs a command of the system, or another program than one of ours', () => {
  expect(findFilesWith(/child_process/)).toEqual(['lib/site/media/pictures/draw-svg.ts']);
  const drawing = readFileSync(join(root, 'lib/site/media/pictures/draw-svg.ts'), 'utf8');
  expect(drawing.match(/import .* from 'node:child_process'/g)).toEqual([
    "import { execFile } from 'node:child_process'",
  ]);
  expect(drawing.match(/execFile\([^;]*?\]/g)).toEqual(['execFile(process.execPath, [program]']);
});

// ASVS 1.3.2
test('no text becomes code', () => {
  expect(findFilesWith(/\beval\(|\bnew Function\(|'node:vm'/)).toEqual([]);
});

// ASVS 3.5.5
test('pages take no messages of other windows', () => {
  const found = findFilesWith(/\.postMessage\(|addEventListener\(\s*'message'|onmessage/);
  expect(found.filter((path) => path.startsWith('app/'))).toEqual([]);
});

test('HTML is set in three places only: structured data, a script of ours, and highlighted code', () => {
  expect(findFilesWith(/dangerouslySetInnerHTML|\.innerHTML\b/)).toEqual([
    'app/_metadata/json-ld.tsx',
    'app/docs/_components/docs-text.tsx',
    'app/layout.tsx',
  ]);
});
