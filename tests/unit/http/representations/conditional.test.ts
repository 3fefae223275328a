import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNotModified } from '#lib/http/representations/conditional.ts';

const validators = { etag: '"abc"', lastModifiedMs: Date.parse('2026-03-10T12:00:00.700Z') };

test.for([
  ['the tag itself', '"abc"', true],
  ['the tag, weak', 'W/"abc"', true],
  ['a star', ' * ', true],
  ['a weak tag in a list', '"x", W/"abc" ,"y"', true],
  ['a list without blanks', '"x","abc"', true],
  ['another tag', '"abcd"', false],
  ['a part of the tag', '"ab"', false],
  ['the tag without quotes', 'abc', false],
  ['a tag that contains the tag and a comma', '"x,abc"', false],
  ['an unclosed quote', '"abc', false],
  ['nothing', '', false],
] as const)('If-None-Match with %s', ([, given, expected]) => {
  expect(isNotModified({ ifNoneMatch: given }, validators)).toBe(expected);
});

test('a tag that contains a comma is found in a list', () => {
  const headers = { ifNoneMatch: '"x", "a,b"' };
  expect(isNotModified(headers, { ...validators, etag: '"a,b"' })).toBe(true);
});

test('a weak tag matches a strong one', () => {
  const headers = { ifNoneMatch: '"abc"' };
  expect(isNotModified(headers, { ...validators, etag: 'W/"abc"' })).toBe(true);
});

test('a list gives 304 exactly if it contains the tag', () => {
  const opaque = fc.stringMatching(/^[!#-~]{0,6}$/);
  const tag = fc.record({ opaque, weak: fc.boolean() });
  fc.assert(
    fc.property(fc.array(tag, { minLength: 1 }), opaque, fc.boolean(), (tags, own, include) => {
      const all = include ? [...tags, { opaque: own, weak: true }] : tags;
      const list = all.map((tag) => `${tag.weak ? 'W/' : ''}"${tag.opaque}"`).join(', ');
      const headers = { ifNoneMatch: list };
      expect(isNotModified(headers, { ...validators, etag: `"${own}"` })).toBe(
        all.some((tag) => tag.opaque === own),
      );
    }),
  );
});

test('If-None-Match takes precedence over If-Modified-Since', () => {
  const headers = { ifNoneMatch: '"other"', ifModifiedSince: 'Tue, 10 Mar 2026 12:00:00 GMT' };
  expect(isNotModified(headers, validators)).toBe(false);
});

test('the Last-Modified that was sent gives 304, a second earlier does not', () => {
  const since = (date: string) => isNotModified({ ifModifiedSince: date }, validators);
  expect(since(new Date(validators.lastModifiedMs).toUTCString())).toBe(true);
  expect(since('Tue, 10 Mar 2026 11:59:59 GMT')).toBe(false);
  expect(since('Tue, 10 Mar 2026 13:00:00 GMT')).toBe(true);
});

test('an invalid If-Modified-Since is ignored', () => {
  for (const date of ['soon', '', '2099', '2099-01-01']) {
    expect(isNotModified({ ifModifiedSince: date }, validators)).toBe(false);
  }
});
