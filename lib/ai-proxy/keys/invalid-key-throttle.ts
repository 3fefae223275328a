import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { shortenAddress } from '#lib/http/client-address.ts';
import { createMinuteWindow, type MinuteWindow } from '../limits/minute-window.ts';

export type InvalidKeyThrottleOptions = Readonly<{ now: () => number; delayMs?: number }>;

/** Waits before a client is told that its key is not valid; at first not at all. */
export type InvalidKeyThrottle = (clientAddress: string) => Promise<void>;

/** In a minute. */
const freeRejections = 20;
const addressesMax = 10_000;

/**
 * Slows clients down that try one key after another. Valid keys never get here, so that they are as fast as ever,
 * also behind the same address.
 */
export function createInvalidKeyThrottle({
  now,
  delayMs = 1000,
}: InvalidKeyThrottleOptions): InvalidKeyThrottle {
  const clients = new LRUCache<string, MinuteWindow>({ max: addressesMax });
  return async (clientAddress) => {
    // A client with one IPv6 address has a network of them.
    const client = isIP(clientAddress) === 6 ? shortenAddress(clientAddress) : clientAddress;
    const rejections = clients.get(client) ?? createMinuteWindow();
    clients.set(client, rejections);
    rejections.add(now());
    if (rejections.count(now()) > freeRejections) await delay(delayMs, undefined, { ref: false });
  };
}
