import { Readable } from 'node:stream';
import { createResponse } from '#lib/http/response.ts';
import { yieldToEventLoop } from '#lib/http/time-slices.ts';

/** How many rows are read, and written, in a turn of the event loop. */
export const rowsAtOnce = 250;

type FileOptions = Readonly<{ name: string; type: string }>;

/** A file that the browser saves, which is sent while it is written: a part in each turn of the event loop. */
export async function respondWithFile(
  parts: AsyncIterable<string>,
  { name, type }: FileOptions,
): Promise<Response> {
  const iterator = parts[Symbol.asyncIterator]();
  // Before the response begins: a database that is away is an error.
  const first = await iterator.next();
  async function* write() {
    for (let part = first; !part.done; part = await iterator.next()) {
      yield part.value;
      await yieldToEventLoop();
    }
  }
  return createResponse({
    status: 200,
    headers: [
      ['Content-Type', type],
      ['Content-Disposition', `attachment; filename="${name}"`],
      ['Cache-Control', 'private, no-store'],
    ],
    body: Readable.from(write()),
  });
}

/** Rows that are known, some at a time. */
export async function* toPages<T>(rows: readonly T[]): AsyncGenerator<readonly T[], void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    yield rows.slice(from, from + rowsAtOnce);
  }
}

/** What is read by offsets, some rows at a time. */
export async function* readByOffset<T>(
  read: (page: Readonly<{ limit: number; offset: number }>) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[], void> {
  for (let offset = 0; ; offset += rowsAtOnce) {
    const rows = await read({ limit: rowsAtOnce, offset });
    yield rows;
    if (rows.length < rowsAtOnce) return;
  }
}
