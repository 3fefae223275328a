import * as oidc from 'openid-client';
import type { MembersConfig } from '#lib/config/members-config.ts';

/** What the provider says of a person. */
export type ProvidedClaims = Readonly<{ subject: string }> & Readonly<Record<string, unknown>>;

/** What ties the provider's response to the browser that asked. */
export type SignInSecrets = Readonly<{ state: string; nonce: string; verifier: string }>;

/** The OpenID Connect provider. All methods throw what openid-client throws. */
export type Provider = Readonly<{
  makeSecrets: () => SignInSecrets;
  /** Where a browser signs in. */
  toSignInUrl: (secrets: SignInSecrets) => Promise<string>;
  /** Exchanges the code of the URL that the provider sent the browser to. */
  readClaims: (callbackUrl: URL, secrets: SignInSecrets) => Promise<ProvidedClaims>;
  /** Where a browser signs out of the provider; null if it has no such page, or is away. */
  toSignOutUrl: () => Promise<string | null>;
}>;

const timeoutSeconds = 10;
/** Providers change their endpoints seldom; their keys are read anew as openid-client sees fit. */
const discoveredForMs = 60 * 60 * 1000;

export function createProvider(settings: MembersConfig, siteUrl: string): Provider {
  const { issuer, clientId, clientSecret, scopes } = settings;
  const redirectUri = `${siteUrl}/sign-in/callback`;
  let discovered: Promise<oidc.Configuration> | null = null;
  let discoveredAt = 0;

  function discover(): Promise<oidc.Configuration> {
    if (discovered !== null && performance.now() - discoveredAt < discoveredForMs) {
      return discovered;
    }
    const attempt = oidc.discovery(
      new URL(issuer),
      clientId,
      clientSecret ?? undefined,
      clientSecret === null ? oidc.None() : authenticateWith(clientSecret),
      {
        timeout: timeoutSeconds,
        // The settings admit plain HTTP on this machine only.
        execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
      },
    );
    discovered = attempt;
    discoveredAt = performance.now();
    attempt.catch(() => {
      if (discovered === attempt) discovered = null;
    });
    return attempt;
  }

  return {
    makeSecrets: () => ({
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    }),
    async toSignInUrl({ state, nonce, verifier }) {
      const parameters = {
        redirect_uri: redirectUri,
        scope: scopes,
        ...{ state, nonce },
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      return oidc.buildAuthorizationUrl(await discover(), parameters).href;
    },
    async readClaims(callbackUrl, { state, nonce, verifier }) {
      const configuration = await discover();
      const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const { sub: subject = '', ...claims } = tokens.claims() ?? {};
      // Many providers have the e-mail address only there.
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const userInfo = hasUserInfo
        ? await oidc.fetchUserInfo(configuration, tokens.access_token, subject)
        : {};
      return { ...claims, ...userInfo, subject };
    },
    async toSignOutUrl() {
      const configuration = await discover().catch(() => null);
      if (configuration?.serverMetadata().end_session_endpoint === undefined) return null;
      const parameters = { post_logout_redirect_uri: `${siteUrl}/account` };
      return oidc.buildEndSessionUrl(configuration, parameters).href;
    },
  };
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
