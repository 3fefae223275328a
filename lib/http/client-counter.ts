import { LRUCache } from 'lru-cache';
import { boundEntries } from './bound-entries.ts';
import { groupAddress, toClientAddress } from './client-address.ts';
import type { HttpError } from './errors/errors.ts';

type ClientCounterOptions = Readonly<{
  windowMs: number;
  /** The most that one client may send within the window. */
  requestsMax: number;
  trustedHops: number;
  now: () => number;
  /** @param waitMs until the next one is counted. */
  toError: (waitMs: number) => HttpError;
}>;

const clientsMax = 10_000;

/**
 * Counts the requests of each client in this process.
 * @returns a function that throws the error if there were too many.
 */
export function createClientCounter(options: ClientCounterOptions): (request: Request) => void {
  const { windowMs, requestsMax, trustedHops, now, toError } = options;
  const times = new LRUCache<string, readonly number[]>(boundEntries(clientsMax));
  return (request) => {
    const address = groupAddress(toClientAddress(request, trustedHops));
    // Where Next serves alone nobody knows it.
    if (address === '') return;
    const at = now();
    const recent = (times.get(address) ?? []).filter((time) => time > at - windowMs);
    const [first = at] = recent;
    if (recent.length >= requestsMax) throw toError(first + windowMs - at);
    times.set(address, [...recent, at]);
  };
}
