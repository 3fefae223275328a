import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { boundEntries } from '#lib/http/bound-entries.ts';
import { shortenAddress } from '#lib/http/client-address.ts';
import { createMinuteWindow, type MinuteWindow } from '#lib/http/minute-window.ts';

/** Per minute. */
const freeRejections = 20;
const addressesMax = 10_000;

/**
 * Slows down clients that try one key after another: the response to an invalid key waits, except for the first ones.
 * Valid keys never get here, so they stay fast even from the same address.
 */
export function createInvalidKeyThrottle({
  uptime,
  delayMs = 1000,
}: Readonly<{ uptime: () => number; delayMs?: number }>): (clientAddress: string) => Promise<void> {
  const clients = new LRUCache<string, MinuteWindow>(boundEntries(addressesMax));
  return async (clientAddress) => {
    // A client with one IPv6 address has a whole network of them.
    const client = isIP(clientAddress) === 6 ? shortenAddress(clientAddress) : clientAddress;
    const rejections = clients.get(client) ?? createMinuteWindow();
    clients.set(client, rejections);
    rejections.add(uptime());
    if (rejections.count(uptime()) > freeRejections)
      await delay(delayMs, undefined, { ref: false });
  };
}
