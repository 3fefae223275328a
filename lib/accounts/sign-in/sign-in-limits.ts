import { createClientCounter } from '#lib/http/client-counter.ts';
import { HttpError } from '#lib/http/errors/errors.ts';

export type SignInLimits = Readonly<{
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
