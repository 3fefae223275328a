import type * as oidc from 'openid-client';

/** What the provider says of a person. */
export type ProvidedClaims = Readonly<{
  /** Who says so: with the subject, it tells people apart. */
  issuer: string;
  subject: string;
}> &
  Readonly<Record<string, unknown>>;

/** What ties the provider's response to the browser that asked. */
export type SignInSecrets = Readonly<{ state: string; nonce: string; verifier: string }>;

/** A sign-in under way. */
export type SignInAttempt = SignInSecrets &
  Readonly<{
    /** A member who is signed in proves it once more. */
    isAgain: boolean;
  }>;

/** What differs between providers. */
export type ProviderKind = Readonly<{
  /** The endpoints of the provider, and how the site authenticates there. */
  configure: () => Promise<oidc.Configuration>;
  /** What asks the provider to look at who is there, instead of remembering it. */
  againParameters: Readonly<Record<string, string>>;
  /** Exchanges a code, and reads who it stands for. */
  readClaims: (callbackUrl: URL, attempt: SignInAttempt) => Promise<ProvidedClaims>;
}>;

export const timeoutSeconds = 10;

/** Keys, claims and endpoints are a few kB. */
const bytesMax = 1024 * 1024;

/** A fetch for openid-client, which reads a response whole, however long it is. */
export const fetchBounded: oidc.CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  if (response.body === null) return response;
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > bytesMax) controller.error(new Error('The provider’s response is too long.'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(bound), response);
};
