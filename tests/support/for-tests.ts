import { afterAll, beforeAll } from 'vitest';

type Closable = AsyncDisposable | Readonly<{ close: () => Promise<unknown> }>;

/**
 * Opens something before the tests of a file or `describe`, and closes it after them. What this returns has the
 * properties of what was opened.
 */
export function forTests<T extends Closable>(open: () => Promise<T>): T {
  let opened: T | null = null;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(async () => {
    if (opened === null) return;
    if (Symbol.asyncDispose in opened) await opened[Symbol.asyncDispose]();
    else await opened.close();
  });
  return new Proxy({} as T, { get: (_, name) => Reflect.get(opened ?? {}, name) });
}
