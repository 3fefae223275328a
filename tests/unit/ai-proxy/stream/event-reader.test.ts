import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventReader } from '#lib/ai-proxy/stream/event-reader.ts';
import { anyText } from '../../../support/factories/any-text.ts';
import { anyCuts, cutAt, splitEverywhere } from '../../../support/upstreams/byte-pieces.ts';

const toBytes = (text: string) => new TextEncoder().encode(text);

type Event = Pick<EventSourceMessage, 'event' | 'data'>;

function read(pieces: readonly Uint8Array[], lengthMax = 10_000) {
  const reader = new EventReader(lengthMax);
  const toEvents = (events: readonly EventSourceMessage[]) =>
    events.map(({ event, data }): Event => ({ event, data }));
  const reads = pieces.map((piece) => toEvents(reader.push(piece)));
  return { reads, atEnd: toEvents(reader.end()), isOverflowed: reader.isOverflowed };
}

function parse(pieces: readonly Uint8Array[]): Event[] {
  return read(pieces).reads.flat();
}

test('CR, LF and CRLF, mixed, give the same events wherever the bytes are split', () => {
  const stream = toBytes(
    '\ufeffdata: é😀\r\n\r\n: c\rdata: a\rdata: b\n\r\nevent: x\r\ndata: 日本\r\r',
  );
  const expected = [
    { event: undefined, data: 'é😀' },
    { event: undefined, data: 'a\nb' },
    { event: 'x', data: '日本' },
  ];
  for (const pieces of splitEverywhere(stream)) expect(parse(pieces)).toEqual(expected);
});

test('only one byte order mark is stripped, and only at the start', () => {
  expect(parse([toBytes('\ufeff\ufeffdata: a\n\ndata: \ufeffb\n\n')])).toEqual([
    { event: undefined, data: '\ufeffb' },
  ]);
});

test('bytes that are not UTF-8 become replacement characters, wherever they are split', () => {
  const stream = Uint8Array.from([
    ...toBytes('data: '),
    0xff,
    0x41,
    0xe2,
    0x82,
    ...toBytes('b\n\n'),
  ]);
  const [event] = parse([stream]);
  expect(event?.data).toMatch(/^\ufffdA\ufffd+b$/);
  for (const pieces of splitEverywhere(stream)) expect(parse(pieces)).toEqual([event]);
});

test('each read returns the events that it completes', () => {
  const { reads } = read([
    toBytes('data: a\n\nevent: x\ndata: b\n\ndata: c'),
    toBytes('d\n'),
    toBytes('\n'),
  ]);
  expect(reads.map((events) => events.map(({ data }) => data))).toEqual([['a', 'b'], [], ['cd']]);
});

test('a last event without its blank line is read at the end, and only there', () => {
  for (const lineEnd of ['', '\n', '\r', '\r\n']) {
    const { reads, atEnd } = read([toBytes(`data: a\n\ndata: [DONE]${lineEnd}`)]);
    expect(reads.flat().map(({ data }) => data)).toEqual(['a']);
    expect(atEnd.map(({ data }) => data)).toEqual(['[DONE]']);
  }
});

test('an incomplete event above the size limit overflows; earlier events are read', () => {
  const stream = toBytes(`data: ok\n\ndata: ${'x'.repeat(95)}\ndata: never\n\ndata: never\n\n`);
  for (const pieces of splitEverywhere(stream)) {
    const { reads, atEnd, isOverflowed } = read(pieces, 90);
    expect([...reads.flat(), ...atEnd]).toEqual([{ event: undefined, data: 'ok' }]);
    expect(isOverflowed).toBe(true);
  }
});

test('data lines without a blank line are bounded too; comments take no memory', () => {
  for (const [line, isBounded] of [
    ['data: x\n', true],
    ['custom: x\n', false],
    [': x', false],
  ] as const) {
    const lines = Array.from({ length: 1000 }, () => toBytes(line));
    expect(read(lines, 1000).isOverflowed).toBe(isBounded);
  }
});

test('any text gives the same events, wherever it is split', () => {
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
      const expected: Pick<EventSourceMessage, 'event' | 'data'>[] = [];
      const whole = createParser({
        onEvent: ({ event, data }) => expected.push({ event, data }),
      });
      whole.feed(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
      expect(parse(cutAt(bytes, cuts))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
