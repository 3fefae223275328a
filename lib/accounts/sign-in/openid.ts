import * as oidc from 'openid-client';
import type { MembersConfig } from '#lib/config/members-config.ts';
import { type ProviderKind, timeoutSeconds } from './provider-kind.ts';

/** Providers change their endpoints seldom; their keys are read anew as openid-client sees fit. */
const discoveredForMs = 60 * 60 * 1000;

type OpenIdSettings = Pick<MembersConfig, 'issuer' | 'clientId' | 'clientSecret'>;

/** Any OpenID Connect provider: its endpoints are discovered, and its ID token says who somebody is. */
export function createOpenId({ issuer, clientId, clientSecret }: OpenIdSettings): ProviderKind {
  let known: Promise<oidc.Configuration> | null = null;
  let startedAt = 0;

  return {
    configure() {
      if (known !== null && performance.now() - startedAt < discoveredForMs) return known;
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
    async readClaims(configuration, callbackUrl, { state, nonce, verifier }) {
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
