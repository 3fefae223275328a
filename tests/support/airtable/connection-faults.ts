import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AirtableReply } from '#lib/demo/airtable/airtable-reply.ts';
import { faultCanary } from '../fault-canary.ts';
import type { Fault } from './faults.ts';

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };
const bodyStart = `{"note":"${faultCanary}","records":[`;
const paddingBytes = 64 * 1024;
const dripMs = 100;

/** Plays faults of the connection. Returns the reply if it can still be sent, else null. */
export async function playConnectionFault(
  fault: Fault,
  reply: AirtableReply,
  response: ServerResponse,
): Promise<AirtableReply | null> {
  switch (fault.kind) {
    case 'slow':
      await delay(fault.delayMs ?? 1000, undefined, { ref: false });
      return reply;
    case 'hang-body':
      response.writeHead(200, jsonHeaders).write(bodyStart);
      return null;
    case 'reset':
      response.req.socket.resetAndDestroy();
      return null;
    case 'cut':
      response.writeHead(200, { ...jsonHeaders, 'content-length': bodyStart.length + 1000 });
      response.write(bodyStart, () => response.destroy());
      return null;
    case 'drip':
      await drip(response);
      return null;
    case 'huge':
      await sendEndlessly(response);
      return null;
    // `hang`
    default:
      return null;
  }
}

async function drip(response: ServerResponse): Promise<void> {
  response.writeHead(200, jsonHeaders);
  for (let index = 0; !response.destroyed; index += 1) {
    response.write(bodyStart.charAt(index) || ' ');
    await delay(dripMs, undefined, { ref: false });
  }
}

/** Spaces between `[` and the first record are valid JSON, so only a size limit ends this. */
async function sendEndlessly(response: ServerResponse): Promise<void> {
  const padding = Buffer.alloc(paddingBytes, ' ');
  response.writeHead(200, jsonHeaders).write(bodyStart);
  const closed = once(response, 'close').catch(() => undefined);
  while (!response.destroyed) {
    if (response.write(padding)) continue;
    await Promise.race([once(response, 'drain'), closed]);
  }
}
