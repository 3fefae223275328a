import { randomUUID } from 'node:crypto';

/** A random id with a prefix: `msg_…`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomHex()}`;
}

// randomUUID() uses pooled random bytes: calling randomBytes() costs 12 µs each time.
export function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}

export function toSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}
