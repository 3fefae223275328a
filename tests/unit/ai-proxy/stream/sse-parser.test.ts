import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SseFrame } from '#lib/ai-proxy/stream/sse-frame.ts';
import { createSseParser } from '#lib/ai-proxy/stream/sse-parser.ts';
import { anyText } from '../../../support/any-text.ts';
import { anyCuts, cutAt, splitEverywhere } from '../../../support/byte-pieces.ts';

const toBytes = (text: string) => new TextEncoder().encode(text);

function parse(pieces: readonly Uint8Array[], eventLengthMax = 10_000): SseFrame[] {
  const parser = createSseParser({ eventLengthMax });
  return pieces.flatMap((piece) => [...parser.push(piece)]);
}

function parseText(text: string): SseFrame[] {
  return parse([toBytes(text)]);
}

test('a frame is a name and data', () => {
  expect(parseText('event: greeting\ndata: {"a":1}\n\ndata: two\n\n')).toEqual([
    { event: 'greeting', data: '{"a":1}' },
    { event: null, data: 'two' },
  ]);
});

test('one space after the colon is dropped, a second one is kept', () => {
  expect(parseText('data:a\n\ndata: a\n\ndata:  a\n\n').map(({ data }) => data)).toEqual([
    'a',
    'a',
    ' a',
  ]);
});

test('several data lines are one datum with line feeds', () => {
  expect(parseText('data: a\ndata\ndata: b\n\n')).toEqual([{ event: null, data: 'a\n\nb' }]);
});

test('comments, id, retry, unknown fields and frames without data give nothing', () => {
  expect(
    parseText(': OPENROUTER PROCESSING\n\nid: 4\nretry: 5\nodd: x\n\nevent: lone\n\n'),
  ).toEqual([]);
});

test('a name holds for its own frame alone', () => {
  expect(parseText('event: a\n\ndata: 1\n\n')).toEqual([{ event: null, data: '1' }]);
});

test('line ends of every kind, mixed, give the same frames, wherever the bytes are split', () => {
  const bytes = toBytes(
    '\ufeffdata: é😀\r\n\r\n: c\rdata: a\rdata: b\n\r\nevent: x\r\ndata: 日本\r\r',
  );
  const expected = [
    { event: null, data: 'é😀' },
    { event: null, data: 'a\nb' },
    { event: 'x', data: '日本' },
  ];
  for (const pieces of splitEverywhere(bytes)) expect(parse(pieces)).toEqual(expected);
});

test('bytes that are not UTF-8 become replacement characters, wherever they are split', () => {
  const bytes = Uint8Array.from([
    ...toBytes('data: '),
    0xff,
    0x41,
    0xe2,
    0x82,
    ...toBytes('b\n\n'),
  ]);
  const [frame] = parse([bytes]);
  expect(frame?.data).toMatch(/^\ufffdA\ufffd+b$/);
  for (const pieces of splitEverywhere(bytes)) expect(parse(pieces)).toEqual([frame]);
});

test('the frame that lacks its blank line is given at the end, and only there', () => {
  for (const ending of ['', '\n', '\r', '\r\n']) {
    const parser = createSseParser({ eventLengthMax: 100 });
    expect(parser.push(toBytes(`data: a\n\ndata: [DONE]${ending}`))).toHaveLength(1);
    expect(parser.end()).toEqual({ event: null, data: '[DONE]' });
    expect(parser.end()).toBeNull();
  }
});

test('a frame over the bound ends the reading, however it is split; what came before it stands', () => {
  const long = `data: ok\n\ndata: ${'x'.repeat(95)}\n\ndata: never\n\n`;
  for (const pieces of splitEverywhere(toBytes(long))) {
    const parser = createSseParser({ eventLengthMax: 100 });
    expect(pieces.flatMap((piece) => [...parser.push(piece)])).toEqual([
      { event: null, data: 'ok' },
    ]);
    expect(parser.isOverflowed).toBe(true);
    expect(parser.end()).toBeNull();
  }
});

test('many lines without a blank one are bounded too, and so is a comment', () => {
  for (const line of ['data: x\n', 'odd: x\n', ': x']) {
    const parser = createSseParser({ eventLengthMax: 1000 });
    for (let count = 0; count < 1000; count++) parser.push(toBytes(line));
    expect(parser.isOverflowed).toBe(true);
  }
});

test('a long stream of short frames is never over the bound', () => {
  const parser = createSseParser({ eventLengthMax: 20 });
  for (let count = 0; count < 1000; count++) {
    expect(parser.push(toBytes(': hello\n\ndata: 0123\n\n'))).toHaveLength(1);
  }
});

test('any text gives what eventsource-parser makes of it, wherever it is split', () => {
  const line = fc.oneof(
    fc.constantFrom('', '', 'data', 'event', ': note', 'data:', 'event:', 'data: {"a":1}'),
    anyText(12).map((text) => `data: ${text}`),
    anyText(12),
    anyText(6).map((text) => `event: ${text}`),
  );
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 20 })
    .map((lines) => `${lines.flat().join('')}\n\n`);
  fc.assert(
    fc.property(stream, anyCuts, (text, cuts) => {
      const bytes = toBytes(text);
      const expected: SseFrame[] = [];
      const oracle = createParser({
        onEvent: ({ event, data }) => expected.push({ event: event ?? null, data }),
      });
      oracle.feed(new TextDecoder().decode(bytes));
      expect(parse(cutAt(bytes, cuts))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
