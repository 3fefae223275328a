import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Reply, sendPieces } from '#lib/demo/models/reply.ts';

/** A reply, and how it is sent. */
export type FaultyReply = Reply &
  Readonly<{
    /** Before the headers, and between pieces, ms. */
    delayMs?: number;
    paceMs?: number;
    /** Not even headers are sent. */
    isSilent?: boolean;
    /** In place of a normal end: a broken connection, or an open one. */
    end?: 'cut' | 'hang';
  }>;

export async function sendFaulty(response: ServerResponse, reply: FaultyReply): Promise<void> {
  const { delayMs = 0, paceMs = 0, isSilent = false, end } = reply;
  if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
  if (response.destroyed) return;
  if (!isSilent) await sendPieces(response, reply, paceMs);
  if (end === undefined) response.end();
  if (end !== 'cut') return;
  if (isSilent) response.req.socket.resetAndDestroy();
  // Let written data be sent first: destroying the connection would discard it.
  else response.write('', () => response.destroy());
}
