import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonDepthMax, readJsonBody } from '#lib/ai-proxy/protocols/json/read-json-body.ts';
import { isProxyError } from '#lib/ai-proxy/proxy-error.ts';
import { thrownBy, toBody } from '../../../../support/upstreams/proxy-errors.ts';

test.each([
  ['an empty body', ''],
  ['a cut one', '{"model":'],
  ['a bare NUL in a text', '{"a":"\u0000"}'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a string', '"x"'],
])('%s is rejected as invalid_json', (_, text) => {
  const { status, code, type, param } = thrownBy(() => readJsonBody(toBody(text)));
  expect({ status, code, type, param }).toEqual({
    status: 400,
    code: 'invalid_json',
    type: 'invalid_request_error',
    param: null,
  });
});

test('bytes that are not UTF-8 are rejected, gzip and UTF-16 among them', () => {
  for (const bytes of [
    [0x1f, 0x8b, 8, 0],
    [0xff, 0xfe, 0x7b, 0],
    [...toBody('{"a":"'), 0xe2, 0x82],
  ]) {
    expect(thrownBy(() => readJsonBody(Uint8Array.from(bytes))).message).toContain('UTF-8');
  }
});

test('the error quotes nothing of the body', () => {
  expect(thrownBy(() => readJsonBody(toBody('{"secret": sk-1234}'))).message).not.toMatch(
    /secret|sk/,
  );
});

test('a byte order mark is skipped', () => {
  expect(readJsonBody(toBody('\ufeff{"a":1}'))).toEqual({ a: 1 });
});

test('of a repeated key the last value counts', () => {
  expect(readJsonBody(toBody('{"model":"a","model":"b"}'))).toEqual({ model: 'b' });
});

test('an escaped NUL is an ordinary character', () => {
  expect(readJsonBody(toBody('{"a":"x\\u0000y"}'))).toEqual({ a: 'x\u0000y' });
});

test('a key named __proto__ is an ordinary key and changes no object', () => {
  const read = readJsonBody(toBody('{"__proto__":{"isAdmin":true}}'));
  expect(JSON.stringify(read)).toBe('{"__proto__":{"isAdmin":true}}');
  expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
});

test('lone surrogates are replaced, in keys too; pairs and escaped backslashes stay', () => {
  expect(
    readJsonBody(toBody('{"\\udc00k":"a\\ud800b","pair":"\\ud83d\\ude00","literal":"\\\\ud800"}')),
  ).toEqual({ '\ufffdk': 'a\ufffdb', pair: '😀', literal: '\\ud800' });
});

test('nesting is bounded exactly', () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  expect(readJsonBody(toBody(nested(jsonDepthMax)))).toHaveProperty('a');
  expect(thrownBy(() => readJsonBody(toBody(nested(jsonDepthMax + 1)))).message).toContain('64');
  expect(thrownBy(() => readJsonBody(toBody(`{"a":${'[{"a":'.repeat(500_000)}`))).status).toBe(400);
});

test('brackets in strings do not count as nesting', () => {
  const text = `\\"[{${'[{'.repeat(100)}\\\\`;
  expect(readJsonBody(toBody(JSON.stringify({ [text]: text, b: [] })))).toEqual({
    [text]: text,
    b: [],
  });
});

test('any JSON object round-trips, with any white space', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 10 })),
      (value) => {
        const copy: unknown = JSON.parse(JSON.stringify(value));
        expect(readJsonBody(toBody(JSON.stringify(value, null, 1)))).toEqual(copy);
      },
    ),
  );
});

test('any bytes give an object or a 400', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        expect(readJsonBody(bytes)).toBeTypeOf('object');
      } catch (error) {
        expect(isProxyError(error) && error.status).toBe(400);
      }
    }),
  );
});
