import { randomInt } from 'node:crypto';
import { toReturnPath } from '../routes/redirect-to.ts';
import type { Cookies } from './cookies.ts';
import type { SignInAttempt } from './provider-kind.ts';

/** A sign-in that has begun in a browser. */
export type StartedSignIn = SignInAttempt &
  Readonly<{
    /** The page that it leads to. */
    to: string;
    startedAt: number;
  }>;

/** Each has a cookie, so that a few tabs do not disturb each other. */
export type StartedSignIns = Readonly<{
  /** Takes the place of the oldest if there are three. @returns the value of Set-Cookie. */
  add: (header: string | null, started: StartedSignIn) => string;
  /** The one with this state, and a Set-Cookie that removes it. */
  find: (
    header: string | null,
    state: string,
  ) => Readonly<{ started: StartedSignIn; cleared: string }> | null;
}>;

/** Fixed names bound how many there are: dozens of such cookies would be a 431 on every page. */
const names = ['marquee-sign-in-1', 'marquee-sign-in-2', 'marquee-sign-in-3'] as const;
export const startedForSeconds = 15 * 60;

export function createStartedSignIns(cookies: Cookies): StartedSignIns {
  const readAll = (header: string | null) =>
    names.map((name) => ({ name, started: parseStarted(cookies.read(header, name)) }));
  return {
    add(header, started) {
      const all = readAll(header);
      const free = all.filter((slot) => slot.started === null);
      const byAge = all.toSorted((a, b) => toTime(a.started) - toTime(b.started));
      // Tabs that are restored together see the same free ones.
      const { name } = free[randomInt(free.length || 1)] ?? byAge[0] ?? { name: names[0] };
      const value = Buffer.from(JSON.stringify(started)).toString('base64url');
      return cookies.write(name, value, startedForSeconds);
    },
    find(header, state) {
      for (const { name, started } of readAll(header)) {
        if (started?.state === state) return { started, cleared: cookies.clear(name) };
      }
      return null;
    },
  };
}

function toTime(started: StartedSignIn | null): number {
  return started?.startedAt ?? 0;
}

function parseStarted(value: string | null): StartedSignIn | null {
  try {
    const started = JSON.parse(Buffer.from(value ?? '', 'base64url').toString());
    const { state, nonce, verifier, to, isAgain, startedAt } = started;
    const isComplete = [state, nonce, verifier].every(
      (value) => typeof value === 'string' && value !== '',
    );
    if (!isComplete || typeof startedAt !== 'number') return null;
    return { state, nonce, verifier, to: toReturnPath(to), isAgain: isAgain === true, startedAt };
  } catch {
    return null;
  }
}
