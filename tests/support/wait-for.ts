import { vi } from 'vitest';
import { patienceMs } from './patience.ts';

/** Repeats assertions until they hold. For a single value, `expect.poll` does the same. */
export function waitFor<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: patienceMs, interval: 20 });
}
