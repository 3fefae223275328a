import type { IncomingMessage } from 'node:http';

/** Parses a request's JSON body; undefined if it is empty, too long or not JSON. */
export async function readJson(request: IncomingMessage, bodyBytesMax = 100_000): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
