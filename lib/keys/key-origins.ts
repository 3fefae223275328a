import { shortenAddress } from '#lib/http/client-address.ts';
import type { Log } from '#lib/http/log.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import type { KeyStore } from './store/key-store.ts';

type KeyOriginsOptions = Readonly<{
  keys: Pick<KeyStore, 'setUsedFrom'>;
  now: () => number;
  log: Log;
}>;

/** Each key is recorded at most this often, whatever its traffic. */
const everyMs = 5 * 60_000;

/** Stores the network that each key was used from last, such as 203.0.113.0/24: never an address. */
export function createKeyOrigins({
  keys,
  now,
  log,
}: KeyOriginsOptions): (keyId: string, toAddress: () => string) => void {
  const seen = new Map<string, Readonly<{ network: string | null; at: number }>>();
  return (keyId, toAddress) => {
    const last = seen.get(keyId);
    const at = now();
    if (last !== undefined && at - last.at < everyMs) return;
    const address = toAddress();
    const network = address === '' ? null : shortenAddress(address);
    seen.set(keyId, { network, at });
    if (network === null || network === last?.network) return;
    keys.setUsedFrom(keyId, network).catch((error) => {
      // Tried again after the interval.
      seen.set(keyId, { network: null, at });
      log.warn(toLogFields(error), 'where a key is used from cannot be stored');
    });
  };
}
