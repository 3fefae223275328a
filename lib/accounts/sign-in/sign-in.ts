import { randomBytes } from 'node:crypto';
import { AuthorizationResponseError, ClientError } from 'openid-client';
import type { MembersConfig } from '#lib/config/members-config.ts';
import { createClientCounter } from '#lib/http/client-counter.ts';
import { HttpError } from '#lib/http/errors/errors.ts';
import type { ProblemCode } from '../routes/problems.ts';
import { redirectTo, sendAgain, toOutcomePath, toReturnPath } from '../routes/redirect-to.ts';
import type { SecurityLog } from '../security-log.ts';
import type { Member, MemberProfile } from '../store/member-record.ts';
import { isAdmitted, pickClaims } from './access-rules.ts';
import { explainRejection } from './explain-rejection.ts';
import { notAgainCode } from './openid.ts';
import type { Provider } from './provider.ts';
import type { ProvidedClaims } from './provider-kind.ts';
import type { Sessions, SignedIn } from './sessions.ts';
import { type StartedSignIn, type StartedSignIns, startedForSeconds } from './started-sign-ins.ts';

export type SignIn = Readonly<{
  /** Sends the browser to the provider; with `again=1` the provider has to look at who is there. */
  start: (request: Request) => Promise<Response>;
  /** Takes the browser back from the provider, signed in. */
  finish: (request: Request) => Promise<Response>;
  /** Ends the session here, and at the provider where it has a page for that. */
  signOut: (signedIn: SignedIn) => Promise<Response>;
}>;

type SignInOptions = Readonly<{
  settings: MembersConfig;
  siteUrl: string;
  provider: Provider;
  sessions: Sessions;
  save: (member: MemberProfile) => Promise<Member>;
  startedSignIns: StartedSignIns;
  /** Ends a sign-in, in all instances. @returns false if it has ended before */
  spend: (state: string, until: number) => Promise<boolean>;
  limits: SignInLimits;
  security: SecurityLog;
  now: () => number;
}>;

export function createSignIn(options: SignInOptions): SignIn {
  const { settings, siteUrl, provider, sessions, save, startedSignIns, spend } = options;
  const { limits, security, now } = options;

  function fail(request: Request, problem: ProblemCode, cause?: unknown): Response {
    security.signInFailed(request, problem, cause);
    return redirectTo(`/account?problem=${problem}`);
  }

  function count(request: Request, countOne: (request: Request) => void): void {
    try {
      countOne(request);
    } catch (error) {
      security.signInFailed(request, 'too-many');
      throw error;
    }
  }

  async function admit(request: Request, claims: ProvidedClaims, { to, isAgain }: StartedSignIn) {
    const member = toMember(claims, settings, now());
    if (!isAdmitted(settings.allowed, member)) {
      security.signInRejected(request, explainRejection(claims, settings));
      return redirectTo('/account?problem=not-allowed');
    }
    const saved = await save(member);
    if (saved.disabledAt !== null) return fail(request, 'disabled');
    const session = await sessions.begin(saved, request.headers);
    return redirectTo(isAgain ? toOutcomePath(to, { problem: sendAgain }) : to, [session]);
  }

  return {
    async start(request) {
      count(request, limits.countStart);
      const { searchParams } = new URL(request.url);
      const started: StartedSignIn = {
        ...provider.makeSecrets(),
        isAgain: searchParams.get('again') === '1',
        to: toReturnPath(searchParams.get('to')),
        startedAt: now(),
      };
      try {
        const url = await provider.toSignInUrl(started);
        return redirectTo(url, [startedSignIns.add(request.headers.get('cookie'), started)]);
      } catch (error) {
        return fail(request, toProblem(error), error);
      }
    },
    async finish(request) {
      count(request, limits.countCallback);
      const { search, searchParams } = new URL(request.url);
      const state = searchParams.get('state') ?? '';
      const found = startedSignIns.find(request.headers.get('cookie'), state);
      if (found === null) return fail(request, 'stale');
      const { started, cleared } = found;
      // A code is used once, whatever came of it: other instances may get it, and other browsers its cookie.
      const isLate = now() - started.startedAt > startedForMs;
      const isFirst = !isLate && (await spend(state, now() + startedForMs));
      const clear = (response: Response) => {
        response.headers.append('Set-Cookie', cleared);
        return response;
      };
      if (!isFirst) return clear(fail(request, 'stale'));
      let claims: ProvidedClaims;
      try {
        // The Host header is not trusted, so the URL is that of the settings.
        const url = new URL(`${siteUrl}/sign-in/callback${search}`);
        claims = await provider.readClaims(url, started);
      } catch (error) {
        return clear(fail(request, toProblem(error), error));
      }
      return clear(await admit(request, claims, started));
    },
    async signOut(signedIn) {
      const cookie = await sessions.end(signedIn);
      const response = redirectTo((await provider.toSignOutUrl()) ?? '/account', [cookie]);
      // Otherwise Back in another tab shows the account from the memory of the browser.
      response.headers.set('Clear-Site-Data', '"cache"');
      return response;
    },
  };
}

const startedForMs = startedForSeconds * 1000;

const awayCodes = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'];

function toProblem(error: unknown): ProblemCode {
  if (error instanceof AuthorizationResponseError) {
    return error.error === 'access_denied' ? 'denied' : 'refused';
  }
  // Without a code there was no response at all; fetch throws a TypeError then.
  const isOfClient = error instanceof ClientError || error instanceof TypeError;
  const { code } = error as NodeJS.ErrnoException;
  if (code === notAgainCode) return 'not-again';
  return isOfClient && [undefined, ...awayCodes].includes(code) ? 'provider' : 'refused';
}

const nameLengthMax = 100;

function toMember(
  claims: ProvidedClaims,
  { allowed, admins }: MembersConfig,
  at: number,
): MemberProfile {
  const { issuer, subject, email, email_verified: isVerified } = claims;
  const address = typeof email === 'string' && email.length <= 320 ? email : null;
  const names = [claims.name, claims.preferred_username, address].map(toLine);
  return {
    id: `mbr_${randomBytes(12).toString('base64url')}`,
    issuer,
    subject,
    name: names.find(hasLetters) ?? 'Member',
    // Some providers send the flag as a text.
    email: isVerified === true || isVerified === 'true' ? address : null,
    claims: pickClaims([...allowed, ...admins], claims),
    createdAt: at,
    confirmedAt: at,
  };
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Without control characters, and never cut within a character. Joiners stay: Persian and emoji need them. */
function toLine(text: unknown): string {
  if (typeof text !== 'string') return '';
  const plain = text
    .slice(0, 10 * nameLengthMax)
    .replace(/[\p{C}--[\u200C\u200D]]+/gv, ' ')
    .trim();
  let line = '';
  for (const { segment } of graphemes.segment(plain)) {
    if ([...line, ...segment].length > nameLengthMax) break;
    line += segment;
  }
  return line.trim();
}

const hasLetters = (text: string) => /[^\p{C}\p{Z}]/u.test(text);

type SignInLimits = Readonly<{
  /** These two: @throws HttpError 429 if there were too many from the request's address. */
  countStart: (request: Request) => void;
  countCallback: (request: Request) => void;
}>;

type SignInLimitsOptions = Readonly<{ trustedHops: number; now: () => number }>;

/** Limits what an address makes this process and the provider do; each instance counts for itself. */
export function createSignInLimits(options: SignInLimitsOptions): SignInLimits {
  const limit = { windowMs: 5 * 60_000, requestsMax: 30, toError: tooMany };
  const createCounter = () => createClientCounter({ ...limit, ...options });
  return { countStart: createCounter(), countCallback: createCounter() };
}

function tooMany(waitMs: number): HttpError {
  return new HttpError(429, {
    code: 'too_many_sign_ins',
    message: 'There were too many sign-ins from your network.',
    hint: `Please try again in ${Math.ceil(waitMs / 60_000)} min.`,
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  });
}
