import { groupAddress } from './client-address.ts';

/**
 * Counts what each client has open at once in this process.
 * @returns a function that counts one more, and returns what to call at its end; null if the client has too many. Where
 * Next serves alone, nobody knows the address, and nothing is counted.
 */
export function createOpenCounter(openMax: number): (address: string) => (() => void) | null {
  const counts = new Map<string, number>();
  return (address) => {
    if (address === '') return () => {};
    const client = groupAddress(address);
    const count = counts.get(client) ?? 0;
    if (count >= openMax) return null;
    counts.set(client, count + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (counts.get(client) ?? 1) - 1;
      if (left === 0) counts.delete(client);
      else counts.set(client, left);
    };
  };
}
