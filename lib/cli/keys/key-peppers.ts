import { type KeyHasher, toPepperId } from '#lib/keys/key-text.ts';
import { type KeyRecord, toKeyState } from '#lib/keys/store/key-record.ts';

/** The ids of KEY_PEPPER, or of its file, and of KEY_PEPPER_PREVIOUS. */
export type Peppers = Readonly<{ current: string; previous: string | null }>;

/** `unknown`: neither, or the key is from before this was stored. */
export type PepperUse = 'current' | 'previous' | 'unknown';

export function toPeppers(toHash: KeyHasher, toPreviousHash: KeyHasher | null): Peppers {
  return {
    current: toPepperId(toHash),
    previous: toPreviousHash === null ? null : toPepperId(toPreviousHash),
  };
}

/** While there is a previous pepper, keys from before this was stored may need it. */
export function toPepperUse(
  { pepperId }: Pick<KeyRecord, 'pepperId'>,
  { current, previous }: Peppers,
): PepperUse {
  if (pepperId === current) return 'current';
  if (previous !== null && (pepperId === null || pepperId === previous)) return 'previous';
  return 'unknown';
}

/** Whether KEY_PEPPER_PREVIOUS may be removed; null if it is not set. */
export function toPepperAdvice(
  keys: readonly KeyRecord[],
  peppers: Peppers,
  now: number,
): string | null {
  if (peppers.previous === null) return null;
  const count = keys.filter(
    (key) => toKeyState(key, now) === 'active' && toPepperUse(key, peppers) === 'previous',
  ).length;
  if (count === 0) return 'No key needs KEY_PEPPER_PREVIOUS any more: remove it.';
  const keysNeed = count === 1 ? '1 key needs' : `${count} keys need`;
  return `${keysNeed} KEY_PEPPER_PREVIOUS: rotate them before you remove it.`;
}
