import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createKeyHasher, makeKeyText } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

test('a pepper is created once, readable by its owner only, and reused', () => {
  const dataDir = join(makeTestFolder(), 'data');
  const pepper = loadPepper({ keyPepper: null, dataDir });
  expect(pepper).toMatch(/^[\w-]{43}$/);
  expect(loadPepper({ keyPepper: null, dataDir })).toBe(pepper);
  expect(readFileSync(join(dataDir, 'pepper'), 'utf8').trim()).toBe(pepper);
  expect(statSync(join(dataDir, 'pepper')).mode & 0o777).toBe(0o600);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(readdirSync(dataDir)).toEqual(['pepper']);
});

test('two directories have two peppers', () => {
  const load = () => loadPepper({ keyPepper: null, dataDir: makeTestFolder() });
  expect(load()).not.toBe(load());
});

test('a configured pepper is used as it is, and nothing is written', () => {
  const dataDir = makeTestFolder();
  const keyPepper = 'from the settings, of any length above the least';
  expect(loadPepper({ keyPepper, dataDir })).toBe(keyPepper);
  expect(readdirSync(dataDir)).toEqual([]);
});

test.for(['', 'half-writ', 'x'.repeat(44)])(
  'a damaged pepper %j is an error of one line, and is not replaced',
  (text) => {
    const dataDir = makeTestFolder();
    writeFileSync(join(dataDir, 'pepper'), text);
    const load = () => loadPepper({ keyPepper: null, dataDir });
    expect(load).toThrow(/^DATA_DIR is [^\n]* pepper in it is damaged: restore it[^\n]*$/);
    expect(readFileSync(join(dataDir, 'pepper'), 'utf8')).toBe(text);
  },
);

test('a directory that cannot be created is an error of one line', () => {
  const file = join(makeTestFolder(), 'file');
  writeFileSync(file, '');
  const dataDir = join(file, 'data');
  expect(() => loadPepper({ keyPepper: null, dataDir })).toThrow(/^DATA_DIR is [^\n]*$/);
});

// ASVS 11.4.1
test('a hash depends on the pepper and the key, and contains neither', () => {
  const [a, b] = [makeKeyText(), makeKeyText()];
  const toHash = createKeyHasher('pepper one');
  expect(toHash(a)).toBe(createKeyHasher('pepper one')(a));
  expect(toHash(a)).not.toBe(toHash(b));
  expect(toHash(a)).not.toBe(createKeyHasher('pepper two')(a));
  expect(toHash(a)).toMatch(/^[\w-]{43}$/);
});
