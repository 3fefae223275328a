import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  jsonDepthMax,
  parseInTurn,
  parseJsonBody,
} from '#lib/ai-proxy/protocols/json/parse-json.ts';
import { writeJson } from '#lib/ai-proxy/protocols/json/source-text.ts';
import { isHttpError } from '#lib/http/errors/errors.ts';
import { thrownBy, toBody } from '../../../../support/upstreams/proxy-errors.ts';

const staying = { aborted: false };

test.each([
  ['an empty body', ''],
  ['a cut one', '{"model":'],
  ['a bare NUL in a text', '{"a":"\u0000"}'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a string', '"x"'],
])('%s is rejected as invalid_json', (_, text) => {
  const { status, code, param } = thrownBy(() => parseJsonBody(toBody(text)));
  expect({ status, code, param }).toEqual({
    status: 400,
    code: 'invalid_json',
    param: null,
  });
});

test('bytes that are not UTF-8 are rejected, gzip and UTF-16 among them', () => {
  for (const bytes of [
    [0x1f, 0x8b, 8, 0],
    [0xff, 0xfe, 0x7b, 0],
    [...toBody('{"a":"'), 0xe2, 0x82],
  ]) {
    expect(thrownBy(() => parseJsonBody(Uint8Array.from(bytes))).message).toContain('UTF-8');
  }
});

test('the error quotes nothing of the body', () => {
  expect(thrownBy(() => parseJsonBody(toBody('{"secret": sk-1234}'))).message).not.toMatch(
    /secret|sk/,
  );
});

test('a byte order mark is skipped', () => {
  expect(parseJsonBody(toBody('\ufeff{"a":1}'))).toEqual({ a: 1 });
});

test('of a repeated key the last value counts', () => {
  expect(parseJsonBody(toBody('{"model":"a","model":"b"}'))).toEqual({ model: 'b' });
});

test('an escaped NUL is an ordinary character', () => {
  expect(parseJsonBody(toBody('{"a":"x\\u0000y"}'))).toEqual({ a: 'x\u0000y' });
});

// ASVS 15.3.6
test('a key with the name of the prototype is an ordinary key and changes no object', () => {
  const read = parseJsonBody(toBody('{"__proto__":{"isAdmin":true}}'));
  expect(JSON.stringify(read)).toBe('{"__proto__":{"isAdmin":true}}');
  expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
});

test('lone surrogates in texts are replaced; pairs and escaped backslashes stay', () => {
  expect(
    parseJsonBody(toBody('{"k":"a\\ud800b","pair":"\\ud83d\\ude00","literal":"\\\\ud800"}')),
  ).toEqual({ k: 'a\ufffdb', pair: '😀', literal: '\\ud800' });
});

test('nesting is bounded exactly', () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  expect(parseJsonBody(toBody(nested(jsonDepthMax)))).toHaveProperty('a');
  expect(thrownBy(() => parseJsonBody(toBody(nested(jsonDepthMax + 1)))).message).toContain('64');
  expect(thrownBy(() => parseJsonBody(toBody(`{"a":${'[{"a":'.repeat(500_000)}`))).status).toBe(
    400,
  );
});

test.each(['9'.repeat(40), '0.'.padEnd(40, '1'), `-${'9'.repeat(39)}`])(
  'a number has forty characters at most: %s',
  (number) => {
    expect(writeJson(parseJsonBody(toBody(`{"a":[${number}]}`)))).toBe(`{"a":[${number}]}`);
    const { status, message } = thrownBy(() => parseJsonBody(toBody(`{"a":[${number}1]}`)));
    expect([status, message]).toEqual([
      400,
      'The body has a number of more than 40 characters: send it as a text.',
    ]);
  },
);

test('brackets in strings do not count as nesting', () => {
  const text = `\\"[{${'[{'.repeat(100)}\\\\`;
  expect(parseJsonBody(toBody(JSON.stringify({ [text]: text, b: [] })))).toEqual({
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
        expect(parseJsonBody(toBody(JSON.stringify(value, null, 1)))).toEqual(copy);
      },
    ),
  );
});

// ASVS 1.5.2, 15.3.5
test('any bytes and any JSON give an object or a 400', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.json().map(toBody)), (bytes) => {
      try {
        expect(JSON.stringify(parseJsonBody(bytes))).toMatch(/^\{/);
      } catch (error) {
        expect(isHttpError(error) && error.status).toBe(400);
      }
    }),
  );
});

test('a large body is read in steps, so that others run in between; so is the next one', async () => {
  const large = toBody({ text: 'x'.repeat(2 * 1024 * 1024) });
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);

  const both = await Promise.all([
    parseInTurn(() => large, { owner: 'one', client: staying }),
    parseInTurn(() => large, { owner: 'one', client: staying }),
  ]);

  clearImmediate(immediate);
  expect(both.map(({ text }) => String(text).length)).toEqual([2_097_152, 2_097_152]);
  expect(turns).toBeGreaterThanOrEqual(6);
});

test('a large body whose client leaves before its turn is not parsed', async () => {
  const client = new AbortController();
  const first = parseInTurn(() => toBody('{"a":1}'), { owner: 'one', client: staying });
  const second = parseInTurn(() => toBody('{"a":2}'), { owner: 'one', client: client.signal });
  client.abort();

  await expect(second).rejects.toMatchObject({ status: 400, message: 'The client has left.' });
  expect(await first).toEqual({ a: 1 });
});

test('a large body that is invalid is a 400, and the next one is read', async () => {
  const invalid = toBody(`{"a": "${'9'.repeat(2 * 1024 * 1024)}",}`);
  await expect(parseInTurn(() => invalid, { owner: 'one', client: staying })).rejects.toMatchObject(
    {
      status: 400,
      code: 'invalid_json',
    },
  );
  expect(await parseInTurn(() => toBody('{"a":1}'), { owner: 'one', client: staying })).toEqual({
    a: 1,
  });
});

test.each([
  ['empty objects', `{"a":[${'{},'.repeat(300_000)}{}]}`],
  ['short texts', `{"a":[${'"",'.repeat(300_000)}""]}`],
  ['numbers', `{"a":[${'1.0,'.repeat(300_000)}1.0]}`],
  ['literals', `{"a":[${'true,null,'.repeat(150_000)}false]}`],
  ['fields', `{${Array.from({ length: 120_000 }, (_, index) => `"${index}":""`).join(',')}}`],
])('a body of too many %s is a 400 before it is parsed', (_, text) => {
  const { status, message } = thrownBy(() => parseJsonBody(toBody(text)));
  expect({ status, message }).toEqual({
    status: 400,
    message: 'The body has more than 60000 values (objects, arrays, texts, numbers): send fewer.',
  });
});

test('a body of more than a thousand fields is a 400, deeper objects may have them', () => {
  const fields = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, '']));
  expect(thrownBy(() => parseJsonBody(toBody(fields)))).toMatchObject({
    status: 400,
    message: 'The body has more than 1000 fields.',
  });
  expect(parseJsonBody(toBody({ fields }))).toEqual({ fields });
});

test('lone surrogates are replaced in nested texts, also of __proto__', () => {
  const text = '{"a":{"e":["\\udfff"],"b":"\\ud800"},"c":{"__proto__":{"d":"\\ud800"}}}';
  const parsed = parseJsonBody(toBody(text));
  const expected = '{"a":{"e":["�"],"b":"�"},"c":{"__proto__":{"d":"�"}}}';
  expect(JSON.stringify(parsed)).toBe(expected);
});

test('a lone surrogate in the name of a field is a 400; a pair is not', () => {
  const read = (name: string) => parseJsonBody(toBody(`{"a":[{"${name}":1}]}`));
  for (const name of ['\\ud800', 'k\\uDFFF']) {
    expect(() => read(name)).toThrow(/^The name of a field has half of a surrogate pair/);
  }
  expect(read('\\ud83d\\ude00')).toEqual({ a: [{ '😀': 1 }] });
});

test('numbers do not count where they are tokens, as of an embedding', () => {
  const tokens = Array.from({ length: 500_000 }, () => 7);
  expect(parseJsonBody(toBody({ input: tokens }), true)).toEqual({ input: tokens });
});
