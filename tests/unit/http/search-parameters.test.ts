import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isHttpError } from '#lib/http/errors/errors.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import { anyText } from '../../support/factories/any-text.ts';

test('the query of a URL is between ? and #', () => {
  expect(searchOf('http://a/b?c=d?e#f?g')).toBe('c=d?e');
  expect(searchOf('http://a/b')).toBe('');
  expect(searchOf('http://a/b?')).toBe('');
});

test.for([
  ['malformed percent-encoding', 'q=%zz'],
  ['a bare percent sign', 'q=100%'],
  ['bytes that are not UTF-8', 'q=%FF'],
  ['an overlong encoding', 'q=%C0%AF'],
  ['half a surrogate pair', 'q=%ED%A0%80'],
  ['a NUL in a value', 'q=a%00b'],
  ['a NUL in a name', '%00=a'],
  ['more than 4,096 characters', `q=${'a'.repeat(4096)}`],
] as const)('%s is a 400 with a hint', ([, search]) => {
  expect(() => readSearchParameters(search)).toThrow(
    expect.objectContaining({ code: 'bad_request', hint: expect.stringMatching(/./) }),
  );
});

test('a plus is a blank, %2B is a plus, %2C a comma', () => {
  const parameters = readSearchParameters('a=1+2&b=1%2B2&c=1%2C2');
  expect([...parameters]).toEqual([
    ['a', '1 2'],
    ['b', '1+2'],
    ['c', '1,2'],
  ]);
});

test('a second question mark belongs to the name', () => {
  expect([...readSearchParameters(searchOf('http://a/b??limit=5')).keys()]).toEqual(['?limit']);
});

test('any bytes give parameters or a documented error', () => {
  fc.assert(
    fc.property(anyText(), (search) => {
      try {
        for (const [name, value] of readSearchParameters(search)) {
          expect(name + value).not.toContain('\0');
        }
      } catch (error) {
        if (!isHttpError(error)) throw error;
        expect(error.status).toBe(400);
      }
    }),
  );
});

test('encoded parameters round-trip', () => {
  const text = anyText().filter((value) => value.isWellFormed() && !value.includes('\0'));
  fc.assert(
    fc.property(text, (value) => {
      const search = `q=${encodeURIComponent(value)}`;
      fc.pre(search.length <= 4096);
      expect(readSearchParameters(search).get('q')).toBe(value);
    }),
  );
});
