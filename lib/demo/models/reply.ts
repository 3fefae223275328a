import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export type JsonObject = Readonly<Record<string, unknown>>;

/** One event of a stream, before serialization. */
export type Frame = Readonly<{ event: string | null; data: JsonObject | '[DONE]' }>;

/** A response, and how it is sent. */
export type Reply = Readonly<{
  /** Null: not even headers are sent. */
  status: number | null;
  headers: Readonly<Record<string, string>>;
  /** One write each. */
  pieces: Iterable<string | Uint8Array>;
  /** After the last piece: a normal end, a broken connection, or an open one. */
  end: 'whole' | 'cut' | 'hang';
  /** Before the headers, and between pieces, ms. */
  delayMs: number;
  paceMs: number;
}>;

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' } as const;
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
} as const;

/** A JSON response in one piece. */
export function toJsonReply(status: number, body: unknown): Reply {
  return toReply({ status, headers: jsonHeaders, pieces: [JSON.stringify(body)] });
}

export function toReply(reply: Pick<Reply, 'status' | 'headers' | 'pieces'>): Reply {
  return { ...reply, end: 'whole', delayMs: 0, paceMs: 0 };
}

/** A frame as text. */
export function toFrameText({ event, data }: Frame): string {
  const text = data === '[DONE]' ? data : JSON.stringify(data);
  return `${event === null ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

/** Sends a reply with back-pressure; stops if the client disconnects. */
export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  onBytes: (bytes: number) => void,
): Promise<void> {
  if (reply.delayMs > 0) await pause(reply.delayMs, response);
  if (response.destroyed) return;
  if (reply.status === null) return endWithoutHeaders(response, reply.end);
  response.writeHead(reply.status, reply.headers).flushHeaders();
  for (const piece of reply.pieces) {
    onBytes(piece.length);
    const isTaken = response.write(piece);
    if (!isTaken) await untilDrained(response);
    if (reply.paceMs > 0) await pause(reply.paceMs, response);
    if (response.destroyed) return;
  }
  if (reply.end === 'whole') response.end();
  // Let written data be sent first: destroying the connection would discard it.
  if (reply.end === 'cut') response.write('', () => response.destroy());
}

function endWithoutHeaders(response: ServerResponse, end: Reply['end']): void {
  if (end === 'cut') response.req.socket.resetAndDestroy();
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

async function pause(ms: number, response: ServerResponse): Promise<void> {
  const left = new AbortController();
  const leave = () => left.abort();
  response.once('close', leave);
  await delay(ms, undefined, { signal: left.signal }).catch(() => undefined);
  response.off('close', leave);
}
