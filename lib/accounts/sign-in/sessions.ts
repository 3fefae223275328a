import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { MembersConfig } from '#lib/config/members-config.ts';
import type { Member } from '../store/member-record.ts';
import type { SessionRecord, SessionStore } from '../store/session-store.ts';
import { isAdmitted } from './access-rules.ts';
import type { Cookies } from './cookies.ts';

/** A request of a member. */
export type SignedIn = Readonly<{
  member: Member;
  session: SessionRecord;
  /** How long ago this browser signed in. */
  ageMs: number;
  isAdmin: boolean;
  /** Goes into every form. */
  formToken: string;
}>;

export type Sessions = Readonly<{
  /** Begins a session, and ends the one that the browser had. @returns the value of Set-Cookie. */
  begin: (member: Member, headers: Headers) => Promise<string>;
  /** The member whose cookie a request carries; null if it is not valid any more. */
  find: (headers: Pick<Headers, 'get'>) => Promise<SignedIn | null>;
  /** Ends the session of a request. @returns the value of Set-Cookie. */
  end: (signedIn: SignedIn) => Promise<string>;
}>;

type SessionsOptions = Readonly<{
  store: SessionStore;
  cookies: Cookies;
  rules: Pick<MembersConfig, 'allowed' | 'admins'>;
  now: () => number;
}>;

const cookieName = 'marquee-session';
const dayMs = 86_400_000;
const idleMaxMs = 14 * dayMs;
const ageMaxMs = 60 * dayMs;
/** Older claims are confirmed by signing in again, which most providers do without asking. */
const confirmedWithinMs = dayMs;
/** Not every request writes. */
const usedEveryMs = 60_000;

/** Sessions are opaque tokens of 256 bits, of which only a hash is stored. */
export function createSessions({ store, cookies, rules, now }: SessionsOptions): Sessions {
  const readToken = (headers: Pick<Headers, 'get'>) =>
    cookies.read(headers.get('cookie'), cookieName);

  async function find(headers: Pick<Headers, 'get'>): Promise<SignedIn | null> {
    const token = readToken(headers);
    if (token === null || !/^[\w-]{43}$/.test(token)) return null;
    const found = await store.find(toHash(token));
    if (found === null) return null;
    const { session, member } = found;
    const at = now();
    const isOver = at - session.createdAt >= ageMaxMs || at - session.usedAt >= idleMaxMs;
    const isUnconfirmed = at - member.confirmedAt >= confirmedWithinMs;
    if (isOver || isUnconfirmed || !isAdmitted(rules.allowed, member)) return null;
    if (at - session.usedAt >= usedEveryMs) await store.setUsed(session.id, at);
    const isAdmin = isAdmitted(rules.admins, member);
    const ageMs = at - session.createdAt;
    return { session, member, ageMs, isAdmin, formToken: toFormToken(token) };
  }

  return {
    find,
    async begin(member, headers) {
      const former = readToken(headers);
      const known = former === null ? null : await store.find(toHash(former));
      if (known !== null) await store.remove(known.session.id);
      const [token, at] = [randomBytes(32).toString('base64url'), now()];
      await store.removeExpired({ createdAt: at - ageMaxMs, usedAt: at - idleMaxMs });
      await store.insert({
        id: `ses_${randomBytes(12).toString('base64url')}`,
        memberId: member.id,
        hash: toHash(token),
        device: describeDevice(headers.get('user-agent')),
        createdAt: at,
        usedAt: at,
      });
      return cookies.write(cookieName, token, ageMaxMs / 1000);
    },
    async end({ session }) {
      await store.end(session.id, session.memberId);
      return cookies.clear(cookieName);
    },
  };
}

/** Tokens are random, so a fast hash is enough. */
function toHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Derived from the session's token, which no script and no other site can read. */
function toFormToken(token: string): string {
  return createHmac('sha256', token).update('form').digest('base64url');
}

export function isSameToken(token: string, expected: string): boolean {
  const [a, b] = [Buffer.from(token), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** Browser and system of a User-Agent header, such as “Firefox on Linux”: all that is stored of it. */
function describeDevice(userAgent: string | null): string {
  const text = (userAgent ?? '').slice(0, 1000);
  const browser = browsers.find(([, pattern]) => pattern.test(text))?.[0] ?? 'A browser';
  const system = systems.find(([, pattern]) => pattern.test(text))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}
