import type { Reply } from '#lib/demo/models/reply.ts';
import { faultCanary } from '../fault-canary.ts';
import type { FaultyReply } from './faulty-reply.ts';

/** A connection fault: the normal reply, sent in a broken way. */
export type ConnectionFault = Readonly<{
  description: string;
  /** `amount` is the number after the name: `fault/slow:300`. */
  change: (reply: Reply, amount: number | undefined) => FaultyReply;
}>;

const pieceBytes = 64 * 1024;
const hugeBytes = 1024 ** 3;

/** Connection faults, by the name after `fault/`. */
export const connectionFaults: Readonly<Record<string, ConnectionFault>> = {
  hang: {
    description: 'accepts the request and never responds',
    change: (reply) => ({ ...reply, isSilent: true, end: 'hang' }),
  },
  reset: {
    description: 'accepts the request and breaks the connection',
    change: (reply) => ({ ...reply, isSilent: true, end: 'cut' }),
  },
  'hang-headers': {
    description: 'sends only headers, and stays open',
    change: (reply) => ({ ...reply, pieces: [], end: 'hang' }),
  },
  'hang-mid-stream': {
    description: 'stops half-way, in the middle of a frame, and stays open',
    change: (reply) => ({ ...reply, pieces: half(reply), end: 'hang' }),
  },
  cut: {
    description: 'breaks the connection half-way, in the middle of a frame',
    change: (reply) => ({ ...reply, pieces: half(reply), end: 'cut' }),
  },
  slow: {
    description: 'waits `amount` ms (1000), then responds normally',
    change: (reply, amount = 1000) => ({ ...reply, delayMs: amount }),
  },
  pace: {
    description: 'waits `amount` ms (100) between frames',
    change: (reply, amount = 100) => ({ ...reply, paceMs: amount }),
  },
  'byte-by-byte': {
    description: 'writes byte by byte',
    change: (reply) => ({ ...reply, pieces: bytesOf(reply) }),
  },
  'one-write': {
    description: 'writes all frames at once',
    change: (reply) => ({ ...reply, pieces: [textOf(reply)] }),
  },
  crlf: {
    description: 'ends lines with CR LF',
    change: (reply) => ({ ...reply, pieces: [textOf(reply).replaceAll('\n', '\r\n')] }),
  },
  cr: {
    description: 'ends lines with CR',
    change: (reply) => ({ ...reply, pieces: [textOf(reply).replaceAll('\n', '\r')] }),
  },
  comments: {
    description: 'puts a comment before every frame, blank lines before JSON',
    change: (reply) => ({ ...reply, pieces: withComments(reply) }),
  },
  'huge-frame': {
    description: 'sends `amount` bytes (1 GiB) in one frame or one text',
    change: (reply, amount = hugeBytes) => ({ ...reply, pieces: hugeFrame(reply, amount) }),
  },
  endless: {
    description: 'repeats its third frame, or white space in JSON, without end',
    change: (reply) => ({ ...reply, pieces: endless(reply) }),
  },
  'html-stream': {
    description: 'sends an endless HTML page with status 500',
    change: () => ({
      status: 500,
      headers: { 'content-type': 'text/html' },
      pieces: endlessPage(),
    }),
  },
};

function isJson({ headers }: Reply): boolean {
  return headers['content-type']?.startsWith('application/json') ?? false;
}

function textOf({ pieces }: Reply): string {
  return [...pieces].join('');
}

function half(reply: Reply): string[] {
  const text = textOf(reply);
  const middle = Math.floor(text.length / 2);
  // Never at the end of a frame.
  return [text.slice(0, text[middle - 1] === '\n' ? middle + 9 : middle)];
}

function* bytesOf(reply: Reply): Iterable<Uint8Array> {
  for (const byte of Buffer.from(textOf(reply))) yield Buffer.of(byte);
}

function withComments(reply: Reply): string[] {
  if (isJson(reply)) return ['\n\n', '  \n', ...[...reply.pieces].map(String)];
  return [...reply.pieces].flatMap((piece) => [`: ${faultCanary} PROCESSING\n\n`, String(piece)]);
}

function* hugeFrame(reply: Reply, bytes: number): Iterable<string | Uint8Array> {
  const filling = Buffer.alloc(pieceBytes, 'x');
  yield isJson(reply) ? '{"id":"' : 'data: {"id":"';
  for (let sent = 0; sent < bytes; sent += pieceBytes) {
    yield bytes - sent < pieceBytes ? filling.subarray(0, bytes - sent) : filling;
  }
  yield isJson(reply) ? '"}' : '"}\n\n';
}

function* endless(reply: Reply): Iterable<string | Uint8Array> {
  const pieces = [...reply.pieces];
  const blanks = isJson(reply) ? Buffer.alloc(pieceBytes, ' ') : undefined;
  if (blanks === undefined) yield* pieces.slice(0, 3);
  for (;;) yield blanks ?? pieces[3] ?? '\n';
}

function* endlessPage(): Iterable<string> {
  yield `<!doctype html><p>${faultCanary}`;
  for (;;) yield '<p>And so on.</p>\n'.repeat(4096);
}
