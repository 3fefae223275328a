import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { parseJsonBody } from '#lib/ai-proxy/protocols/json/parse-json.ts';
import { keepSource, writeJson } from '#lib/ai-proxy/protocols/json/source-text.ts';
import { toBody } from '../../../../support/upstreams/proxy-errors.ts';

function parse(text: string): Record<string, unknown> {
  const value = JSON.parse(text);
  keepSource(value, text);
  return value;
}

/** JSON texts of any shape, without white space, and with each name once in an object. */
const { json } = fc.letrec<{ json: string; scalar: string }>((tie) => ({
  scalar: fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text.toWellFormed())),
    fc.constantFrom('0', '-0', '1.0', '1e5', '9007199254740993', '-2.50', 'true', 'null'),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  ),
  json: fc.oneof(
    { depthSize: 'small' },
    tie('scalar'),
    fc.array(tie('json')).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(
        fc.tuple(fc.oneof(fc.nat(20).map(String), fc.string(), fc.constant('toJSON')), tie('json')),
        { selector: ([name]) => name },
      )
      .map((fields) => `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`)}}`),
  ),
}));

test('whatever JSON an object has comes out as it came in', () => {
  fc.assert(
    fc.property(json, (text) => {
      expect(writeJson(parse(`{"a":{"b":${text},"exact":[1.0]}}`))).toBe(
        `{"a":{"b":${text},"exact":[1.0]}}`,
      );
    }),
  );
});

test('a changed copy is written with its changes, and the rest of it as it was', () => {
  const { a, ...rest } = parse(
    '{"model":"x","a":{"n":1.0,"own":2.0,"deep":[1.0]},"b":{"2":1,"1":1.0}}',
  );
  const changed = { ...rest, model: 'y', a: { ...(a as object), own: 3 }, none: undefined };
  expect(writeJson(changed)).toBe(
    '{"model":"y","b":{"2":1,"1":1.0},"a":{"n":1.0,"own":3,"deep":[1.0]}}',
  );
});

test('white space, which no prompt is charged for, is left out', () => {
  const spaces = ' \n\r\t'.repeat(100);
  const text = `{"a":${spaces}{${spaces}"n"${spaces}:${spaces}1.0${spaces},"t":"a  b"}}`;
  expect(writeJson({ a: parse(text).a })).toBe('{"a":{"n":1.0,"t":"a  b"}}');
});

test.each([
  ['{"a":{"n":1.0,"x":"first","x":"last"}}', '{"a":{"n":1.0,"x":"last"}}'],
  ['{"a":{"x":{"n":1.0},"x":{"n":2}}}', '{"a":{"x":{"n":2}}}'],
  ['{"a":{"x":{"n":1.0,"1":{"__proto__":{"k":1.0}}},"x":{"n":2}}}', '{"a":{"x":{"n":2}}}'],
  [
    '{"a":{"n":1.0,"x":{"y":{"k":2.0}},"x":{"y":{"k":1.0}}}}',
    '{"a":{"n":1.0,"x":{"y":{"k":1.0}}}}',
  ],
  ['{"a":{"n":1.0,"t":"\\ud800","in":{"n":1.0}}}', '{"a":{"n":1.0,"t":"\ufffd","in":{"n":1.0}}}'],
  ['{"a":{"n":1.0,"t":"\\ud83d\\ude00"}}', '{"a":{"n":1.0,"t":"😀"}}'],
])('text about which parsers differ is not forwarded, but for its numbers: %s', (text, written) => {
  expect(writeJson(parseJsonBody(toBody(text)))).toBe(written);
});

test('a repeated name has the number of its last value, and none of another', () => {
  expect(writeJson(parse('{"x":{"n":1.0},"x":{"n":1}}'))).toBe('{"x":{"n":1}}');
  expect(writeJson({ ...parse('{"n":1.0,"n":1,"__proto__":1.0}') })).toBe(
    '{"n":1,"__proto__":1.0}',
  );
});

test('a name that is a number counts as one however it is written', () => {
  expect(writeJson({ a: parse('{"a":{"b":1,"\\u0031":2}}').a })).toBe('{"a":{"b":1,"1":2}}');
});

test('deep values are written once, not once for each level', () => {
  // A repeated name keeps all levels from having a source of their own.
  const inner = '{"a":1,"a":2,"exact":{"x":1.0},"long":["padding"]}';
  const text = `${'{"n":'.repeat(60)}${inner}${'}'.repeat(60)}`;
  const value = parse(text);
  const written = vi.spyOn(JSON, 'stringify');
  const json = writeJson(value);
  const lengths = written.mock.results.map(({ value }) => String(value).length);
  written.mockRestore();
  expect(json).toBe(text.replace('"a":1,', ''));
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(3 * text.length);
});

test('numbers of a text with more than 60,000 values are written in the shortest form', () => {
  const toText = (number: string, count: number) =>
    `{"a":[${Array.from({ length: count }, () => number).join(',')}]}`;
  expect(writeJson(parse(toText('1.0', 59_000)))).toBe(toText('1.0', 59_000));
  expect(writeJson(parse(toText('1.0', 61_000)))).toBe(toText('1', 61_000));
});
