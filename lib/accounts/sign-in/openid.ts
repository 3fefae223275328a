import * as oidc from 'openid-client';
import type { MembersConfig } from '#lib/config/members-config.ts';
import type { Log } from '#lib/http/log.ts';
import { hasAllClaims } from './access-rules.ts';
import { fetchBounded, type ProviderKind, timeoutSeconds } from './provider-kind.ts';

/** The provider does not say that the person has signed in there just now. */
export const notAgainCode = 'AUTH_TIME_NOT_RECENT';

/** Providers change their endpoints seldom. */
const discoveredForMs = 60 * 60 * 1000;

type OpenIdSettings = Pick<
  MembersConfig,
  'issuer' | 'clientId' | 'clientSecret' | 'allowed' | 'admins'
>;

type OpenIdParts = Readonly<{ now: () => number; log: Log }>;

/** How long ago somebody may have signed in at the provider who does so again here. */
const maxAgeSeconds = 15 * 60;
/** Clocks differ. */
const toleranceSeconds = 60;

/** Any OpenID Connect provider: its endpoints are discovered, and its signed ID token says who somebody is. */
export function createOpenId(settings: OpenIdSettings, { now, log }: OpenIdParts): ProviderKind {
  let known: Promise<oidc.Configuration> | null = null;
  let startedAt = 0;
  let isRefusalLogged = false;

  /** Many providers have the email address only there. Who has all that the rules look at in the token needs none. */
  async function readUserInfo(
    configuration: oidc.Configuration,
    accessToken: string,
    claims: oidc.IDToken,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    try {
      return await oidc.fetchUserInfo(configuration, accessToken, claims.sub);
    } catch (error) {
      const status = findStatus(error);
      const isRefused = status !== undefined && [401, 403, 404].includes(status);
      if (!isRefused || !hasAllClaims([...settings.allowed, ...settings.admins], claims))
        throw error;
      if (!isRefusalLogged) {
        log.warn(
          { status },
          'the provider refuses its userinfo: members sign in by their ID tokens',
        );
      }
      isRefusalLogged = true;
      return {};
    }
  }

  return {
    configure() {
      if (known !== null && performance.now() - startedAt < discoveredForMs) return known;
      const attempt = discover(settings);
      startedAt = performance.now();
      // What is known goes on being used while it is read anew, and if that fails.
      known ??= attempt;
      attempt.then(
        () => {
          known = attempt;
        },
        () => {
          if (known === attempt) known = null;
        },
      );
      return known;
    },
    againParameters: { max_age: String(maxAgeSeconds) },
    async readClaims(callbackUrl, { state, nonce, verifier, isAgain }) {
      // openid-client reads the keys of a configuration once a minute: a new one could not be found in between.
      const configuration = await discover(settings);
      const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('There is no ID token.');
      requireTimes(claims, { isAgain, nowSeconds: now() / 1000 });
      requireParty(claims, settings.clientId);
      const { iss: issuer, sub: subject } = claims;
      const userInfo = await readUserInfo(configuration, tokens.access_token, claims);
      return { ...claims, ...userInfo, ...pickEmail([claims, userInfo]), issuer, subject };
    },
  };
}

/** Discovers the endpoints. Whether the issuer ends with a slash is what its document says. */
async function discover(settings: OpenIdSettings): Promise<oidc.Configuration> {
  const { issuer } = settings;
  try {
    return await discoverAs(issuer, settings);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
      throw error;
    }
    return discoverAs(issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`, settings);
  }
}

function discoverAs(
  issuer: string,
  { clientId, clientSecret }: OpenIdSettings,
): Promise<oidc.Configuration> {
  // The settings admit plain HTTP on this machine only.
  const insecure = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
  return oidc.discovery(
    new URL(issuer),
    clientId,
    {
      [oidc.clockTolerance]: toleranceSeconds,
      ...(clientSecret !== null && { client_secret: clientSecret }),
    },
    clientSecret === null ? oidc.None() : authenticateWith(clientSecret),
    {
      timeout: timeoutSeconds,
      // Without these, openid-client relies on TLS alone, and verifies no signature.
      execute: [oidc.enableNonRepudiationChecks, ...insecure],
      [oidc.customFetch]: fetchBounded,
    },
  );
}

type TimeChecks = Readonly<{ isAgain: boolean; nowSeconds: number }>;

/** @throws Error with a code if a token is of the future, or its person has not signed in again. */
function requireTimes(
  { iat, auth_time }: Readonly<{ iat: number; auth_time?: number }>,
  { isAgain, nowSeconds }: TimeChecks,
): void {
  const latest = nowSeconds + toleranceSeconds;
  if (iat > latest) {
    throw toCodedError('The ID token is of the future.', 'IAT_IN_FUTURE');
  }
  // Google and GitLab do not say it: then this sign-in counts, as with GitHub.
  if (!isAgain || auth_time === undefined) return;
  const earliest = nowSeconds - maxAgeSeconds - toleranceSeconds;
  if (auth_time < earliest || auth_time > latest) {
    throw toCodedError('The person has not signed in again.', notAgainCode);
  }
}

/** openid-client looks at it only where a token is for several sites (OpenID Connect Core §3.1.3.7). */
function requireParty({ azp }: Readonly<{ azp?: string }>, clientId: string): void {
  if (azp !== undefined && azp !== clientId) {
    throw toCodedError('The ID token was issued to another site.', 'AZP_OF_ANOTHER_SITE');
  }
}

function toCodedError(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

/** The status of a response that openid-client rejects: it is the cause of its errors. */
function findStatus(error: unknown): number | undefined {
  if (error instanceof Response) return error.status;
  if (error instanceof oidc.WWWAuthenticateChallengeError) return error.status;
  return error instanceof Error ? findStatus(error.cause) : undefined;
}

/** The address, and whether it is verified, of the first source that says both; else an address alone. */
function pickEmail(sources: readonly Readonly<Record<string, unknown>>[]) {
  const withEmail = sources.filter(({ email }) => email !== undefined);
  const source =
    withEmail.find(({ email_verified: isVerified }) => isVerified !== undefined) ?? withEmail[0];
  return { email: source?.email, email_verified: source?.email_verified };
}

/** Basic, which every provider has by default (OpenID Connect Core §9), unless it lists the body only. */
function authenticateWith(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (provider, client, body, headers) => {
    const methods = provider.token_endpoint_auth_methods_supported;
    const isPostOnly = methods !== undefined && !methods.includes('client_secret_basic');
    return (isPostOnly ? post : basic)(provider, client, body, headers);
  };
}
