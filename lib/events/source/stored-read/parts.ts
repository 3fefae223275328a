import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, zstdCompress, zstdDecompress } from 'node:zlib';

/** A line of text, and what decides whether a part ends with it. */
export type Line = Readonly<{ id: string; text: string }>;

/** Some lines in UTF-8, named by their SHA-256. */
type Part = Readonly<{ hash: string; bytes: Buffer }>;

/** What cannot be compressed becomes 0.4 % larger: a stored part has at most 256 kB. */
const partBytesMax = 250_000;
/** On average. 128 events are about 150 kB. */
const linesPerPart = 128;

/**
 * Cuts lines into parts after those whose id says so, not after a number of lines: a row that is added, changed or removed
 * changes one part, and the others stay the same.
 */
export async function* toParts(lines: AsyncIterable<Line>): AsyncGenerator<Part> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;

  function* take(): Generator<Part> {
    const bytes = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    for (let start = 0; start < bytes.length; start += partBytesMax) {
      yield toPart(bytes.subarray(start, start + partBytesMax));
    }
  }

  for await (const { id, text } of lines) {
    const line = Buffer.from(`${text}\n`);
    if (pendingBytes + line.length > partBytesMax) yield* take();
    pending.push(line);
    pendingBytes += line.length;
    if (crc32(id) % linesPerPart === 0) yield* take();
  }
  yield* take();
}

/** The lines of some parts, which may end within a line. @throws TypeError if they are not UTF-8. */
export async function* toLines(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const bytes of parts) {
    const lines = `${rest}${decoder.decode(bytes, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Compresses a part, outside of the event loop. */
export function pack({ bytes }: Part): Promise<Buffer> {
  return compress(bytes);
}

/** @throws Error if this is not the part of that name. */
export async function unpack(name: string, content: Uint8Array): Promise<Buffer> {
  const bytes = await decompress(content, { maxOutputLength: partBytesMax });
  if (toPart(bytes).hash !== name)
    throw new Error('A part has other bytes than those that were stored.');
  return bytes;
}

function toPart(bytes: Buffer): Part {
  return { hash: createHash('sha256').update(bytes).digest('base64url'), bytes };
}
