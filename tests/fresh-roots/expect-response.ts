import { setTimeout as delay } from 'node:timers/promises';

/** The instances on ports 3000 and 3001. */
export const [first, second] = ['http://127.0.0.1:3000', 'http://127.0.0.1:3001'];

export function waitUntilReady(url: string): Promise<void> {
  return expectResponse(`${url}/health/ready`, {}, 200);
}

/** Of a request with this key, once changes to keys apply. */
export function expectStatus(url: string, key: string, status: number): Promise<void> {
  return expectResponse(`${url}/proxy/v1/models`, { authorization: `Bearer ${key}` }, status);
}

async function expectResponse(url: string, headers: HeadersInit, status: number): Promise<void> {
  let last = 0;
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const response = await fetch(url, { headers }).catch(() => null);
    await response?.body?.cancel();
    last = response?.status ?? 0;
    if (last === status) return;
    await delay(200);
  }
  throw new Error(`${url} responds ${last}, not ${status}.`);
}
