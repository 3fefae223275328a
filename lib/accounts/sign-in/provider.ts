import { setTimeout as delay } from 'node:timers/promises';
import * as oidc from 'openid-client';
import type { MembersConfig } from '#lib/config/members-config.ts';
import type { Log } from '#lib/http/log.ts';
import { createGithub } from './github.ts';
import { createOpenId } from './openid.ts';
import type {
  ProvidedClaims,
  ProviderKind,
  SignInAttempt,
  SignInSecrets,
} from './provider-kind.ts';

/** Who members sign in with. All methods throw what openid-client throws. */
export type Provider = Readonly<{
  makeSecrets: () => SignInSecrets;
  /** Where a browser signs in. */
  toSignInUrl: (attempt: SignInAttempt) => Promise<string>;
  /** Exchanges the code of the URL that the provider sent the browser to. */
  readClaims: (callbackUrl: URL, attempt: SignInAttempt) => Promise<ProvidedClaims>;
  /** Where a browser signs out of the provider; null if it has no such page, or is away. */
  toSignOutUrl: () => Promise<string | null>;
  /** The origins of the pages above; none if it is away. */
  findOrigins: () => Promise<readonly string[]>;
}>;

type ProviderOptions = Readonly<{
  settings: MembersConfig;
  siteUrl: string;
  now: () => number;
  log: Log;
  kind?: ProviderKind;
}>;

const configuredWithinMs = 1000;

export function createProvider({
  settings,
  siteUrl,
  now,
  log,
  kind = settings.isGithub ? createGithub(settings) : createOpenId(settings, { now, log }),
}: ProviderOptions): Provider {
  /** No page of an account waits for a provider that hangs. */
  function configureSoon(): Promise<oidc.Configuration | null> {
    const late = delay(configuredWithinMs, null, { ref: false });
    return Promise.race([kind.configure().catch(() => null), late]);
  }

  return {
    makeSecrets: () => ({
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    }),
    async toSignInUrl({ state, nonce, verifier, isAgain }) {
      const parameters = {
        redirect_uri: `${siteUrl}/sign-in/callback`,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isAgain && kind.againParameters),
      };
      return oidc.buildAuthorizationUrl(await kind.configure(), parameters).href;
    },
    readClaims: kind.readClaims,
    async toSignOutUrl() {
      const configuration = await configureSoon();
      if (configuration?.serverMetadata().end_session_endpoint === undefined) return null;
      const parameters = { post_logout_redirect_uri: `${siteUrl}/account` };
      return oidc.buildEndSessionUrl(configuration, parameters).href;
    },
    async findOrigins() {
      const { authorization_endpoint: signIn, end_session_endpoint: signOut } =
        (await configureSoon())?.serverMetadata() ?? {};
      const urls = [signIn, signOut].filter((url) => url !== undefined);
      return [...new Set(urls.map((url) => new URL(url).origin))];
    },
  };
}
