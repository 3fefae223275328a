import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSseReader } from '#lib/playground/sse-reader.ts';

const stream = [
  ': a comment\n\n',
  'event: response.created\ndata: {"type":"response.created"}\n\n',
  'data: {"text":"“two\r"}\r\n\r\n',
  'data: one line\ndata:and another\nid: 7\n\n',
  'data: [DONE]\n\n',
].join('');

const whole = createSseReader().push(stream);

test('data is read, whatever ends its lines; comments and names are left out', () => {
  expect(createSseReader().push('data: a\r\n\r\ndata: b\n\n: c\n\ndata: d\r\rx')).toEqual([
    'a',
    'b',
    'd',
  ]);
  expect(whole.at(-1)).toBe('[DONE]');
  expect(whole).toContain('one line\nand another');
});

test('a stream that is cut anywhere gives the same data', () => {
  for (let cut = 0; cut <= stream.length; cut++) {
    const reader = createSseReader();
    expect([...reader.push(stream.slice(0, cut)), ...reader.push(stream.slice(cut))]).toEqual(
      whole,
    );
  }
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 20 }), (cuts) => {
      const reader = createSseReader();
      const ends = [...cuts.toSorted((a, b) => a - b), stream.length];
      const found = ends.flatMap((end, index) =>
        reader.push(stream.slice(ends[index - 1] ?? 0, end)),
      );
      expect(found).toEqual(whole);
    }),
  );
});

test('what is not complete yet is not told', () => {
  expect(createSseReader().push('data: half')).toEqual([]);
  expect(createSseReader().push('data: whole\n')).toEqual([]);
});
