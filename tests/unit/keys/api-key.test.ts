import { expect, test } from 'vitest';
import { isOnAllowList, mayUseModel, parseModelName } from '#lib/keys/api-key.ts';

test.each([
  ['vendor/model', 'vendor/model', null],
  ['vendor/model:online', 'vendor/model', null],
  ['vendor/model:exacto', 'vendor/model', null],
  // Part of the id where models are named by their size.
  ['llama3:8b', 'llama3:8b', null],
  ['@preset/mail', null, '@preset/mail'],
  ['vendor/model:free@preset/mail', 'vendor/model', '@preset/mail'],
])('%s is the model %s with the preset %s', (name, id, preset) => {
  expect(parseModelName(name)).toEqual({ id, preset });
});

test('an allow-list has ids and prefixes only', () => {
  const models = ['a/b', 'c/d', 'c/d/e', 'c/', 'a/b2', 'a', 'c', 'cc/d', ''];
  const allowed = (patterns: readonly string[] | null) =>
    models.filter((model) => mayUseModel({ models: patterns }, model));
  expect(allowed(['a/b', 'c/*'])).toEqual(['a/b', 'c/d', 'c/d/e', 'c/']);
  expect(allowed(['c/d/*'])).toEqual(['c/d/e']);
  expect(allowed(null)).toEqual(models);
  expect(allowed([])).toEqual([]);
});

test.each<[string, boolean]>([
  ['a/b:nitro', true],
  ['c/d:floor', true],
  ['llama3:70b', false],
  ['llama3:free', true],
  ['e/f:free', true],
  ['e/f', false],
  ['e/f:online', false],
  ['@preset/mail', false],
  // A preset may choose other models.
  ['a/b@preset/mail', false],
  ['c/d@preset/mail', false],
  ['@preset/work', true],
  ['a/b:nitro@preset/work', true],
  ['e/f@preset/work', false],
])('with an allow-list, %s is allowed: %s', (model, isAllowed) => {
  const patterns = ['a/b', 'c/*', 'llama3', 'e/f:free', '@preset/work'];
  expect(isOnAllowList(patterns, model)).toBe(isAllowed);
});
