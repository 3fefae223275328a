import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Fault, faultCanary } from './faults.ts';

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };
const bodyStart = `{"note":"${faultCanary}","records":[`;
const paddingBytes = 64 * 1024;

/**
 * Plays faults that break the connection. Returns true if the fault was one of these; then nothing
 * more may be written.
 */
export async function playConnectionFault(
  fault: Fault,
  response: ServerResponse,
): Promise<boolean> {
  switch (fault.kind) {
    case 'hang':
      return true;
    case 'hang-body':
      response.writeHead(200, jsonHeaders).write(bodyStart);
      return true;
    case 'reset':
      response.req.socket.resetAndDestroy();
      return true;
    case 'cut':
      response.writeHead(200, { ...jsonHeaders, 'content-length': bodyStart.length + 1000 });
      response.write(bodyStart, () => response.destroy());
      return true;
    case 'drip':
      await drip(response, fault.everyMs ?? 100);
      return true;
    case 'huge':
      await sendEndlessly(response);
      return true;
    case 'slow':
      await delay(fault.delayMs ?? 1000, undefined, { ref: false });
      return false;
    default:
      return false;
  }
}

async function drip(response: ServerResponse, everyMs: number): Promise<void> {
  response.writeHead(200, jsonHeaders);
  for (let index = 0; !response.destroyed; index += 1) {
    response.write(bodyStart.charAt(index) || ' ');
    await delay(everyMs, undefined, { ref: false });
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
