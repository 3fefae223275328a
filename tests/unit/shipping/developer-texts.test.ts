import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { endpointTable, toShownPath } from '#lib/ai-proxy/endpoint-table.ts';
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

test('the README is of one screen', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(151);
});

test.each(texts)('every link of %s to a file leads to one', (text) => {
  const links = [...read(text).matchAll(/(?:\]\(|(?:src|srcset)=")(?!https?:|#)([^)#"]+)/g)];
  for (const [, path = ''] of links) {
    expect(existsSync(resolve(root, dirname(text), path)), path).toBe(true);
  }
});

test('every endpoint of the proxy is in a row of the README, or in that of the path above it', () => {
  const rows = read('README.md').split('\n');
  const missing = endpointTable.map(toShownPath).filter((path) => {
    const [above, name] = [dirname(path), path.slice(dirname(path).length)];
    const isNamed = (row: string) =>
      row.includes(` ${path}\``) || (row.includes(` ${above}\``) && row.includes(`\`${name}\``));
    return !rows.some(isNamed);
  });
  expect(missing).toEqual([]);
});

test('every script is in the README, AGENTS.md or the page of commands', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const shown = ['README.md', 'AGENTS.md', 'lib/representations/docs/operate/commands.md']
    .map(read)
    .join('\n');
  const missing = Object.keys(scripts).filter(
    (name) => !new RegExp(`npm (?:run )?${name}(?![\\w:-])`).test(shown),
  );
  expect(missing).toEqual([]);
});

test('every test command in AGENTS.md names a test', () => {
  const commands = [...read('AGENTS.md').matchAll(/`npm test -- ([\w./-]+)(?: -t "([^"]+)")?`/g)];
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
