import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitList } from '#lib/airtable/split-list.ts';

// The values as texts, and what is left when they are taken out.
function split(text: string, key = 'records') {
  const body = Buffer.from(text);
  const list = splitList(body, key, 100);
  if (list === null) return null;
  const { start, end, values } = list;
  return {
    values: values.map(([from, to]) => body.toString('utf8', from, to)),
    frame: body.toString('utf8', 0, start) + body.toString('utf8', end),
  };
}

describe('splitList', () => {
  test('gives each value of the list, and the rest without them', () => {
    expect(split('{"records":[{"a":[1,{"b":2}]},{"a":"],}\\""}],"offset":"itr/rec"}')).toEqual({
      values: ['{"a":[1,{"b":2}]}', '{"a":"],}\\""}'],
      frame: '{"records":[],"offset":"itr/rec"}',
    });
  });

  test('an empty list has no values, with and without blanks in it', () => {
    expect(split('{"records":[]}')).toEqual({ values: [], frame: '{"records":[]}' });
    expect(split('{ "records" : [ \r\n\t ] }')?.values).toEqual([]);
  });

  test('a comma without a value beside it is left to the parser', () => {
    expect(split('{"records":[,]}')?.values).toEqual(['', '']);
    expect(split('{"records":[1,]}')?.values).toEqual(['1', '']);
  });

  test('the key counts in the outermost object alone', () => {
    expect(split('{"x":{"records":[1]},"y":["records"],"records":[2]}')?.values).toEqual(['2']);
    expect(split('[{"records":[1]}]')).toBeNull();
    expect(split('{"x":"records"}')).toBeNull();
    expect(split('{"records":{"0":1}}')).toBeNull();
  });

  test.for([
    '',
    ' ',
    '{',
    '{"',
    '{"records"',
    '{"records":',
    '"records":[1]',
    '{records:[1]}',
    'null',
    '{"records" [1]}',
    '{"a":1 "records":[1]}',
  ])('what is no object of JSON holds no list: %s', (text) => {
    expect(split(text)).toBeNull();
  });

  test('a list that is longer than it may be is not split, however many values it has', () => {
    const listOf = (count: number) => `{"records":[${Array(count).fill('1').join(',')}]}`;
    expect(split(listOf(100))?.values).toHaveLength(100);
    expect(split(listOf(101))).toBeNull();
    expect(split(`{"records":[${','.repeat(10_000_000)}`)).toBeNull();
  });

  test('a body that is cut off keeps what is there', () => {
    expect(split('{"records":[{"a":1},{"b":"cu')?.values).toEqual(['{"a":1}', '{"b":"cu']);
    expect(split('{"records":["a\\')?.values).toEqual(['"a\\']);
  });

  test('any list comes out as it went in, however it is written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.constantFrom(undefined, 2, '\t'),
        (list, before, key, blanks) => {
          const rest = Object.entries(before).filter(([name]) => name !== key);
          const page = Object.fromEntries([...rest, [key, list]]);
          const found = split(JSON.stringify(page, null, blanks), key);
          expect(found?.values.map((text) => JSON.parse(text))).toEqual(
            JSON.parse(JSON.stringify(list)),
          );
          expect(JSON.parse(found?.frame ?? '')).toEqual(
            JSON.parse(JSON.stringify({ ...page, [key]: [] })),
          );
        },
      ),
    );
  });

  test('no text makes it throw, or reach outside of the body', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      ' ',
      'records',
      'é',
      '1',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const body = Buffer.from(`{"records":[${pieces.join('')}`);
        for (const [start, end] of splitList(body, 'records', 100)?.values ?? []) {
          expect(start).toBeLessThanOrEqual(end);
          expect(end).toBeLessThanOrEqual(body.length);
        }
      }),
    );
  });
});
