import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export type JsonObject = Readonly<Record<string, unknown>>;

/** One event of a stream, before serialization. */
export type Frame = Readonly<{ event: string | null; data: JsonObject | '[DONE]' }>;

/** A response before it is sent. */
export type Reply = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  /** One write each. */
  pieces: Iterable<string | Uint8Array>;
}>;

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' } as const;
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
} as const;

/** A JSON response in one piece. */
export function toJsonReply(status: number, body: unknown): Reply {
  return { status, headers: jsonHeaders, pieces: [JSON.stringify(body)] };
}

/** A stream with one piece for each frame. */
export function toStreamReply(frames: readonly Frame[]): Reply {
  return { status: 200, headers: streamHeaders, pieces: frames.map(toFrameText) };
}

function toFrameText({ event, data }: Frame): string {
  const text = data === '[DONE]' ? data : JSON.stringify(data);
  return `${event === null ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

/** Sends headers and pieces with back-pressure; stops if the client disconnects. @param paceMs between pieces. */
export async function sendPieces(
  response: ServerResponse,
  { status, headers, pieces }: Reply,
  paceMs: number,
): Promise<void> {
  response.writeHead(status, headers).flushHeaders();
  for (const piece of pieces) {
    if (!response.write(piece)) await untilDrained(response);
    if (paceMs > 0) await delay(paceMs, undefined, { ref: false });
    if (response.destroyed) return;
  }
}

function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
    if (response.destroyed) done();
  });
}
