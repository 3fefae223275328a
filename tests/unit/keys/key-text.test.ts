import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isKeyText, makeKeyText, toKeyHint } from '#lib/keys/key-text.ts';
import { anyText } from '../../support/factories/any-text.ts';

// ASVS 11.2.3
test('a created key is mq_ and 49 letters and digits, and parses as a key', () => {
  for (let made = 0; made < 1_000; made += 1) {
    const text = makeKeyText();
    expect(text).toMatch(/^mq_[0-9A-Za-z]{49}$/);
    expect(isKeyText(text)).toBe(true);
  }
});

// ASVS 11.5.1
test('keys are unique, and use all letters and digits equally often', () => {
  const keys = Array.from({ length: 2_000 }, makeKeyText);
  expect(new Set(keys).size).toBe(2_000);
  const counts = new Map<string, number>();
  for (const key of keys) {
    for (const letter of key.slice(3, 46)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  // 86,000 draws from 62: 1,387 each, ±37; modulo bias would favour eight of them by a quarter.
  expect(counts.size).toBe(62);
  expect(Math.min(...counts.values())).toBeGreaterThan(1_387 - 6 * 37);
  expect(Math.max(...counts.values())).toBeLessThan(1_387 + 6 * 37);
});

test('one wrong character is detected at any position', () => {
  const letter = fc.constantFrom(...'0123456789ABCXYZabcxyz_-. ');
  fc.assert(
    fc.property(fc.nat(51), letter, (index, other) => {
      const text = makeKeyText();
      const wrong = text.slice(0, index) + other + text.slice(index + 1);
      expect(isKeyText(wrong)).toBe(wrong === text);
    }),
  );
});

test('no other text parses as a key', () => {
  const key = makeKeyText();
  for (const text of [
    key.slice(1),
    key.slice(0, -1),
    `${key}0`,
    `${key}\n`,
    key.toLowerCase(),
    '',
  ]) {
    expect(isKeyText(text)).toBe(false);
  }
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(isKeyText(text)).toBe(false);
    }),
  );
});

test('the hint shows only 5 random characters', () => {
  const key = makeKeyText();
  expect(toKeyHint(key)).toBe(`${key.slice(0, 8)}…`);
});
