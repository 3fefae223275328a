import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepStaticFiles } from '#lib/cli/build/keep-static-files.ts';
import { createRepresentationStore } from '#lib/http/representations/representation-store.ts';
import { loadStaticFiles } from '#lib/server/static-files.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

/** Does what `next build` does to static files: those of the build before are gone. */
function build(root: string, id: string, files: Readonly<Record<string, string>>): void {
  rmSync(join(root, '.next'), { recursive: true, force: true });
  mkdirSync(join(root, '.next/static/chunks'), { recursive: true });
  mkdirSync(join(root, 'public'), { recursive: true });
  writeFileSync(join(root, '.next/BUILD_ID'), `${id}\n`);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(root, '.next/static/chunks', name), text);
  }
}

async function openFiles(root: string) {
  const files = await loadStaticFiles(root, createRepresentationStore(1024 * 1024));
  return async (name: string) => {
    const path = `/_next/static/chunks/${name}`;
    const response = await files.respond(new Request(`http://localhost${path}`), path);
    return response?.text() ?? null;
  };
}

test('scripts of the two builds before are there, those of older ones are not', async () => {
  const root = makeTestFolder();
  for (const [index, id] of ['one', 'two', 'three', 'four'].entries()) {
    build(root, id, { [`${id}.js`]: id, 'same.js': 'same' });
    await keepStaticFiles(root);
    // As if the builds were a minute apart.
    const at = new Date(Date.UTC(2026, 0, 1, 0, index));
    utimesSync(join(root, '.static', id), at, at);
  }
  const read = await openFiles(root);
  for (const id of ['two', 'three', 'four']) expect(await read(`${id}.js`)).toBe(id);
  expect(await read('one.js')).toBeNull();
  expect(await read('same.js')).toBe('same');
  expect(readdirSync(join(root, '.static')).sort()).toEqual(['four', 'three', 'two']);
});

test('a build without predecessors serves its own files', async () => {
  const root = makeTestFolder();
  build(root, 'one', { 'one.js': 'one' });
  const read = await openFiles(root);
  expect(await read('one.js')).toBe('one');
});
