import type * as oidc from 'openid-client';

/** What the provider says of a person. */
export type ProvidedClaims = Readonly<{ subject: string }> & Readonly<Record<string, unknown>>;

/** What ties the provider's response to the browser that asked. */
export type SignInSecrets = Readonly<{ state: string; nonce: string; verifier: string }>;

/** What differs between providers. */
export type ProviderKind = Readonly<{
  /** The endpoints of the provider, and how the site authenticates there. */
  configure: () => Promise<oidc.Configuration>;
  /** Exchanges a code, and reads who it stands for. */
  readClaims: (
    configuration: oidc.Configuration,
    callbackUrl: URL,
    secrets: SignInSecrets,
  ) => Promise<ProvidedClaims>;
}>;

export const timeoutSeconds = 10;
