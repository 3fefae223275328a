import { setTimeout as delay } from 'node:timers/promises';
import * as oidc from 'openid-client';
import type { MembersConfig } from '#lib/config/members-config.ts';
import { createGithub } from './github.ts';
import { createOpenId } from './openid.ts';
import type { ProvidedClaims, ProviderKind, SignInSecrets } from './provider-kind.ts';

/** Who members sign in with. All methods throw what openid-client throws. */
export type Provider = Readonly<{
  makeSecrets: () => SignInSecrets;
  /** Where a browser signs in. */
  toSignInUrl: (secrets: SignInSecrets) => Promise<string>;
  /** Exchanges the code of the URL that the provider sent the browser to. */
  readClaims: (callbackUrl: URL, secrets: SignInSecrets) => Promise<ProvidedClaims>;
  /** Where a browser signs out of the provider; null if it has no such page, or is away. */
  toSignOutUrl: () => Promise<string | null>;
}>;

const signOutWithinMs = 1000;

export function createProvider(
  settings: MembersConfig,
  siteUrl: string,
  kind: ProviderKind = settings.isGithub ? createGithub(settings) : createOpenId(settings),
): Provider {
  return {
    makeSecrets: () => ({
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    }),
    async toSignInUrl({ state, nonce, verifier }) {
      const parameters = {
        redirect_uri: `${siteUrl}/sign-in/callback`,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      return oidc.buildAuthorizationUrl(await kind.configure(), parameters).href;
    },
    async readClaims(callbackUrl, secrets) {
      return kind.readClaims(await kind.configure(), callbackUrl, secrets);
    },
    async toSignOutUrl() {
      // No page of an account waits for a provider that hangs.
      const late = delay(signOutWithinMs, null, { ref: false });
      const configuration = await Promise.race([kind.configure().catch(() => null), late]);
      if (configuration?.serverMetadata().end_session_endpoint === undefined) return null;
      const parameters = { post_logout_redirect_uri: `${siteUrl}/account` };
      return oidc.buildEndSessionUrl(configuration, parameters).href;
    },
  };
}
