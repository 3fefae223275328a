import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { listTestFiles, selectTestFiles } from '../../test-files.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const texts = ['README.md', 'AGENTS.md', ...globSync('lib/*/README.md', { cwd: root })];

test.each(texts)('every path in %s exists', (text) => {
  const paths = [...read(text).matchAll(/`((?:app|lib|tests)\/[\w./[\]()-]*)`/g)];
  for (const [, path = ''] of paths) expect(existsSync(join(root, path)), path).toBe(true);
});

test.each(texts)('every script in %s exists', (text) => {
  const { scripts } = JSON.parse(read('package.json'));
  for (const [, name = ''] of read(text).matchAll(/\bnpm run ([\w:-]+)/g)) {
    expect(Object.keys(scripts)).toContain(name);
  }
});

test.each(['README.md', 'AGENTS.md'])('every test command in %s names a test', (text) => {
  const commands = [...read(text).matchAll(/`npm test -- ([\w./-]+)(?: -t "([^"]+)")?`/g)];
  expect(commands.length).toBeGreaterThan(1);
  for (const [command, words = '', name] of commands) {
    const files = selectTestFiles(listTestFiles(), [words]);
    expect(files, command).not.toEqual([]);
    const contents = files.map(({ path }) => read(path));
    expect(
      contents.some((content) => content.includes(name ?? '')),
      command,
    ).toBe(true);
  }
});
