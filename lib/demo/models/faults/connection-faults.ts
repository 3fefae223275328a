import { faultCanary } from '../../airtable/faults.ts';
import { type Reply, toReply } from '../reply.ts';

/** A connection fault: the normal reply, sent in a broken way. */
export type ConnectionFault = Readonly<{
  does: string;
  /** `amount` is the number after the name: `fault/slow:300`. */
  change: (sound: Reply, amount: number | undefined) => Reply;
}>;

const pieceBytes = 64 * 1024;
const hugeBytes = 1024 ** 3;

/** Connection faults, by the name after `fault/`. */
export const connectionFaults: Readonly<Record<string, ConnectionFault>> = {
  hang: {
    does: 'takes the request and never says a word',
    change: (sound) => ({ ...sound, status: null, end: 'hang' }),
  },
  reset: {
    does: 'takes the request and breaks the connection',
    change: (sound) => ({ ...sound, status: null, end: 'cut' }),
  },
  'hang-headers': {
    does: 'sends its headers and nothing more',
    change: (sound) => ({ ...sound, pieces: [], end: 'hang' }),
  },
  'hang-mid-stream': {
    does: 'stops half-way, in the middle of a frame, and stays silent',
    change: (sound) => ({ ...sound, pieces: half(sound), end: 'hang' }),
  },
  cut: {
    does: 'breaks the connection half-way, in the middle of a frame',
    change: (sound) => ({ ...sound, pieces: half(sound), end: 'cut' }),
  },
  slow: {
    does: 'is silent for `amount` ms (1000), then answers soundly',
    change: (sound, amount = 1000) => ({ ...sound, delayMs: amount }),
  },
  pace: {
    does: 'waits `amount` ms (100) between frames',
    change: (sound, amount = 100) => ({ ...sound, paceMs: amount }),
  },
  'byte-by-byte': {
    does: 'writes every byte by itself',
    change: (sound) => ({ ...sound, pieces: bytesOf(sound) }),
  },
  'one-write': {
    does: 'writes all frames at once',
    change: (sound) => ({ ...sound, pieces: [textOf(sound)] }),
  },
  crlf: {
    does: 'ends lines with CR LF',
    change: (sound) => ({ ...sound, pieces: [textOf(sound).replaceAll('\n', '\r\n')] }),
  },
  cr: {
    does: 'ends lines with CR',
    change: (sound) => ({ ...sound, pieces: [textOf(sound).replaceAll('\n', '\r')] }),
  },
  comments: {
    does: 'puts a comment before every frame, blank lines before JSON',
    change: (sound) => ({ ...sound, pieces: withComments(sound) }),
  },
  'huge-frame': {
    does: 'sends `amount` bytes (1 GiB) in one frame or one text',
    change: (sound, amount = hugeBytes) => ({ ...sound, pieces: hugeFrame(sound, amount) }),
  },
  endless: {
    does: 'repeats its third frame for ever, or JSON’s blanks',
    change: (sound) => ({ ...sound, pieces: endless(sound) }),
  },
  'html-stream': {
    does: 'sends a page that never ends, with status 500',
    change: () => ({
      ...toReply({ status: 500, headers: { 'content-type': 'text/html' }, pieces: endlessPage() }),
    }),
  },
};

function isJson({ headers }: Reply): boolean {
  return headers['content-type']?.startsWith('application/json') ?? false;
}

function textOf({ pieces }: Reply): string {
  return [...pieces].join('');
}

function half(sound: Reply): string[] {
  const text = textOf(sound);
  const middle = Math.floor(text.length / 2);
  // Never at the end of a frame.
  return [text.slice(0, text[middle - 1] === '\n' ? middle + 9 : middle)];
}

function* bytesOf(sound: Reply): Iterable<Uint8Array> {
  for (const byte of Buffer.from(textOf(sound))) yield Buffer.of(byte);
}

function withComments(sound: Reply): string[] {
  if (isJson(sound)) return ['\n\n', '  \n', ...[...sound.pieces].map(String)];
  return [...sound.pieces].flatMap((piece) => [`: ${faultCanary} PROCESSING\n\n`, String(piece)]);
}

function* hugeFrame(sound: Reply, bytes: number): Iterable<string | Uint8Array> {
  const filling = Buffer.alloc(pieceBytes, 'x');
  yield isJson(sound) ? '{"id":"' : 'data: {"id":"';
  for (let sent = 0; sent < bytes; sent += pieceBytes) {
    yield bytes - sent < pieceBytes ? filling.subarray(0, bytes - sent) : filling;
  }
  yield isJson(sound) ? '"}' : '"}\n\n';
}

function* endless(sound: Reply): Iterable<string | Uint8Array> {
  const pieces = [...sound.pieces];
  const blanks = isJson(sound) ? Buffer.alloc(pieceBytes, ' ') : undefined;
  if (blanks === undefined) yield* pieces.slice(0, 3);
  for (;;) yield blanks ?? pieces[3] ?? '\n';
}

function* endlessPage(): Iterable<string> {
  yield `<!doctype html><p>${faultCanary}`;
  for (;;) yield '<p>And so on.</p>\n'.repeat(4096);
}
