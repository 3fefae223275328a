import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ByteRelayOptions, createByteRelay } from '#lib/ai-proxy/stream/byte-relay.ts';
import type { StreamRelay } from '#lib/ai-proxy/stream/stream-relay.ts';
import { anyText } from '../../../support/factories/any-text.ts';
import { anyCuts, cutAt, splitEverywhere } from '../../../support/upstreams/byte-pieces.ts';

const toBytes = (text: string) => new TextEncoder().encode(text);

/** A byte relay that writes the name and data of each event on one line. */
function createRecorder(options: Partial<ByteRelayOptions> = {}) {
  const events: Pick<EventSourceMessage, 'event' | 'data'>[] = [];
  const failures: string[] = [];
  const relay: Pick<StreamRelay, 'push' | 'end' | 'fail'> = {
    push({ event, data }) {
      events.push({ event, data });
      return `${event ?? ''}=${data}\n`;
    },
    end: () => 'end\n',
    fail(error) {
      if (failures.length > 0) return '';
      failures.push(error.reason ?? '');
      return 'failed\n';
    },
  };
  const bytes = createByteRelay(relay as StreamRelay, { eventLengthMax: 10_000, ...options });
  return { bytes, events, failures };
}

function parse(pieces: readonly Uint8Array[]) {
  const { bytes, events } = createRecorder();
  for (const piece of pieces) bytes.push(piece);
  return events;
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

test('each read returns the text of the events that it completes', () => {
  const { bytes } = createRecorder();
  expect(bytes.push(toBytes('data: a\n\nevent: x\ndata: b\n\ndata: c'))).toBe('=a\nx=b\n');
  expect(bytes.push(toBytes('d\n'))).toBe('');
  expect(bytes.push(toBytes('\n'))).toBe('=cd\n');
  expect(bytes.end()).toBe('end\n');
});

test('a last event without its blank line is read at the end, and only there', () => {
  for (const lineEnd of ['', '\n', '\r', '\r\n']) {
    const { bytes } = createRecorder();
    expect(bytes.push(toBytes(`data: a\n\ndata: [DONE]${lineEnd}`))).toBe('=a\n');
    expect(bytes.end()).toBe('=[DONE]\nend\n');
  }
});

test('an incomplete event above the size limit fails the stream; earlier events are kept', () => {
  const stream = toBytes(`data: ok\n\ndata: ${'x'.repeat(95)}\ndata: never\n\ndata: never\n\n`);
  for (const pieces of splitEverywhere(stream)) {
    const { bytes, events, failures } = createRecorder({ eventLengthMax: 90 });
    const text = pieces.map((piece) => bytes.push(piece)).join('') + bytes.end();
    expect(text).toBe('=ok\nfailed\nend\n');
    expect(events).toHaveLength(1);
    expect(failures).toEqual(['too_long']);
  }
});

test('data lines without a blank line are bounded too; comments take no memory', () => {
  for (const [line, isBounded] of [
    ['data: x\n', true],
    ['custom: x\n', false],
    [': x', false],
  ] as const) {
    const { bytes, failures } = createRecorder({ eventLengthMax: 1000 });
    for (let count = 0; count < 1000; count++) bytes.push(toBytes(line));
    expect(failures).toEqual(isBounded ? ['too_long'] : []);
  }
});

test('a long stream of short events has a limit of its own', () => {
  const { bytes, failures } = createRecorder({ eventLengthMax: 20, bytesMax: 21 * 1000 });
  for (let count = 0; count < 1000; count++) {
    expect(bytes.push(toBytes(': hello\n\ndata: 0123\n\n'))).toBe('=0123\n');
  }
  expect(bytes.push(toBytes('data: 1\n\n'))).toBe('=1\nfailed\n');
  expect(failures).toEqual(['too_long']);
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
