import { randomBytes } from 'node:crypto';
import { AuthorizationResponseError, ClientError } from 'openid-client';
import type { MembersConfig } from '#lib/config/members-config.ts';
import type { Log } from '#lib/http/log.ts';
import type { ProblemCode } from '../routes/problems.ts';
import { redirectTo } from '../routes/redirect-to.ts';
import type { Member, MemberProfile } from '../store/member-store.ts';
import { isAdmitted, pickClaims } from './access-rules.ts';
import type { Cookies } from './cookies.ts';
import type { Provider } from './provider.ts';
import type { ProvidedClaims, SignInSecrets } from './provider-kind.ts';
import type { Sessions, SignedIn } from './sessions.ts';

export type SignIn = Readonly<{
  /** Sends the browser to the provider. */
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
  cookies: Cookies;
  now: () => number;
  log: Log;
}>;

type Arrival = Readonly<{ request: Request; cookie: string; to: string }>;

const startedForSeconds = 15 * 60;

export function createSignIn(options: SignInOptions): SignIn {
  const { settings, siteUrl, provider, sessions, save, cookies, now, log } = options;

  function fail(problem: ProblemCode, cause?: unknown): Response {
    const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
    // Never the provider's text, which may quote a token.
    log.warn({ reason: `sign_in_${problem}`, code }, 'a sign-in failed');
    return redirectTo(`/account?problem=${problem}`);
  }

  async function admit(claims: ProvidedClaims, { request, cookie, to }: Arrival) {
    const member = toMember(claims, settings, now());
    if (!isAdmitted(settings.allowed, member)) return fail('not-allowed');
    const saved = await save(member);
    if (saved.disabledAt !== null) return fail('disabled');
    const session = await sessions.begin(saved, request.headers);
    return redirectTo(to, [session, cookies.clear(cookie)]);
  }

  return {
    async start(request) {
      const secrets = provider.makeSecrets();
      const to = toReturnPath(new URL(request.url).searchParams.get('to'));
      try {
        const url = await provider.toSignInUrl(secrets);
        const value = Buffer.from(JSON.stringify({ ...secrets, to })).toString('base64url');
        return redirectTo(url, [cookies.write(toCookie(secrets.state), value, startedForSeconds)]);
      } catch (error) {
        return fail(toProblem(error), error);
      }
    },
    async finish(request) {
      const { search, searchParams } = new URL(request.url);
      const cookie = toCookie(searchParams.get('state') ?? '');
      const started = parseStarted(cookies.read(request.headers.get('cookie'), cookie));
      if (started === null) return fail('stale');
      let claims: ProvidedClaims;
      try {
        // The Host header is not trusted, so the URL is that of the settings.
        const url = new URL(`${siteUrl}/sign-in/callback${search}`);
        claims = await provider.readClaims(url, started.secrets);
      } catch (error) {
        const response = fail(toProblem(error), error);
        // A code is used once, whatever came of it.
        response.headers.append('Set-Cookie', cookies.clear(cookie));
        return response;
      }
      return admit(claims, { request, cookie, to: started.to });
    },
    async signOut(signedIn) {
      const cookie = await sessions.end(signedIn);
      return redirectTo((await provider.toSignOutUrl()) ?? '/account', [cookie]);
    },
  };
}

/** One cookie for each attempt, so that two tabs do not disturb each other. */
function toCookie(state: string): string {
  return `marquee-sign-in-${/^[\w-]{8,}$/.test(state) ? state.slice(0, 8) : 'none'}`;
}

/** Where a sign-in leads: to the account, or to the admin page that asked for it; never to another site. */
function toReturnPath(text: unknown): string {
  const isAdminPage = typeof text === 'string' && /^\/admin(?:\/[\w-]{1,100}){0,2}$/.test(text);
  return isAdminPage ? text : '/account';
}

/** A sign-in that began in this browser. */
function parseStarted(
  value: string | null,
): Readonly<{ secrets: SignInSecrets; to: string }> | null {
  try {
    const started = JSON.parse(Buffer.from(value ?? '', 'base64url').toString());
    const { state, nonce, verifier, to } = started;
    const isComplete = [state, nonce, verifier].every(
      (one) => typeof one === 'string' && one !== '',
    );
    return isComplete ? { secrets: { state, nonce, verifier }, to: toReturnPath(to) } : null;
  } catch {
    return null;
  }
}

const awayCodes = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'];

function toProblem(error: unknown): ProblemCode {
  if (error instanceof AuthorizationResponseError) {
    return error.error === 'access_denied' ? 'denied' : 'refused';
  }
  // Without a code there was no response at all; fetch throws a TypeError then.
  const isOfClient = error instanceof ClientError || error instanceof TypeError;
  const { code } = error as NodeJS.ErrnoException;
  return isOfClient && [undefined, ...awayCodes].includes(code) ? 'provider' : 'refused';
}

const nameLengthMax = 100;

function toMember(
  claims: ProvidedClaims,
  { issuer, allowed, admins }: MembersConfig,
  at: number,
): MemberProfile {
  const { subject, email, email_verified: isVerified } = claims;
  const address = typeof email === 'string' && email.length <= 320 ? email : null;
  const names = [claims.name, claims.preferred_username, address];
  const name = names.find((one): one is string => typeof one === 'string' && one.trim() !== '');
  return {
    id: `mbr_${randomBytes(12).toString('base64url')}`,
    issuer,
    subject,
    name: (name ?? 'Member')
      .replace(/\p{C}+/gu, ' ')
      .trim()
      .slice(0, nameLengthMax),
    // Some providers send the flag as a text.
    email: isVerified === true || isVerified === 'true' ? address : null,
    claims: pickClaims([...allowed, ...admins], claims),
    createdAt: at,
    confirmedAt: at,
  };
}
