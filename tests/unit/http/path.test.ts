import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePathSegment, parseTarget, toCanonicalPath } from '#lib/http/path.ts';
import { linearGrowthMax, measureGrowth } from '../../support/measure-growth.ts';

test.for([
  ['/', '/', ''],
  ['/a/b?c=d&e=%2F', '/a/b', '?c=d&e=%2F'],
  ['/a?', '/a', '?'],
  ['/a??b', '/a', '??b'],
  ['http://elsewhere.example/a?b', '/a', '?b'],
  ['HTTPS://u:p@elsewhere.example:8443/a', '/a', ''],
  ['/a/../b', '/b', ''],
  ['/../../etc/passwd', '/etc/passwd', ''],
  ['/a/./b/.', '/a/b/', ''],
  ['/a?x=/../y', '/a', '?x=/../y'],
  ['/a\\b', '/a/b', ''],
  ['/a"b<c>', '/a%22b%3Cc%3E', ''],
  ['/%2e%2E/x', '/x', ''],
] as const)('the request target %s is parsed', ([target, path, search]) => {
  expect(parseTarget(target)).toMatchObject({ path, search });
});

test('a target that is not a URL of this site gives null', () => {
  for (const target of ['', '*', 'example.com:443', 'a/b', 'http://', 'http://[', 'ftp://x/']) {
    expect(parseTarget(target)).toBeNull();
  }
});

const targetPieces = String.raw`/ // . .. %2e %2F % ? # \ a é @ : [`.split(' ');
const rawTarget = fc
  .array(fc.constantFrom(...targetPieces, ' '), { maxLength: 20 })
  .map((pieces) => `/${pieces.join('')}`);

test('any target gives a path that starts at the root, without dot segments and fragment', () => {
  fc.assert(
    fc.property(rawTarget, (raw) => {
      const target = parseTarget(raw);
      if (target === null) return;
      expect(target.path).toMatch(/^\//);
      expect(target.path).not.toMatch(/[?#\\\s]/);
      expect(target.path).not.toMatch(/\/(?:\.|%2e){1,2}(?:\/|$)/i);
      expect(target.search).toMatch(/^(?:$|\?)/);
    }),
    { numRuns: 300 },
  );
});

test('a target gives the same URL as a Request', () => {
  fc.assert(
    fc.property(rawTarget, (raw) => {
      const target = parseTarget(raw);
      const url = URL.parse(`http://host${raw}`);
      if (target === null || url === null) return;
      expect(new URL(`http://host${target.path}`).pathname).toBe(target.path);
      expect(target.path).toBe(url.pathname);
    }),
  );
});

test('a canonical path is the same for all spellings, and never leads to another host', () => {
  fc.assert(
    fc.property(rawTarget, (raw) => {
      const canonical = toCanonicalPath(parseTarget(raw)?.path ?? '/');
      expect(toCanonicalPath(canonical)).toBe(canonical);
      expect(canonical).not.toContain('//');
      expect(new URL(canonical, 'http://ours.example').host).toBe('ours.example');
    }),
  );
});

test('trailing and duplicate slashes are dropped', () => {
  expect(toCanonicalPath('//a///b//')).toBe('/a/b');
  expect(toCanonicalPath('////')).toBe('/');
});

test('a path of a million slashes is parsed in linear time', () => {
  const parse = (target: string) => toCanonicalPath(parseTarget(target)?.path ?? '');
  expect(measureGrowth('/'.repeat(1_000_000), parse)).toBeLessThan(linearGrowthMax);
});

// ASVS 1.1.1
test('a segment is decoded once', () => {
  expect(decodePathSegment('a%2Fb')).toBe('a/b');
  expect(decodePathSegment('%2541')).toBe('%41');
  expect(decodePathSegment('caf%C3%A9')).toBe('café');
});

test.for(['%', '%zz', '%C3', '%ED%A0%80', '%C0%AF', '%FF'])(
  'malformed percent-encoding, %s, is a 400 with a hint',
  (segment) => {
    expect(() => decodePathSegment(segment)).toThrow(
      expect.objectContaining({ code: 'bad_request', hint: expect.stringContaining('%25') }),
    );
  },
);
