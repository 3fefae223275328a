import { LRUCache } from 'lru-cache';
import { groupAddress, toClientAddress } from '#lib/http/client-address.ts';
import { HttpError } from '#lib/http/errors/errors.ts';

export type SignInLimits = Readonly<{
  /** These two: @throws HttpError 429 if there were too many from the request's address. */
  countStart: (request: Request) => void;
  countCallback: (request: Request) => void;
}>;

type SignInLimitsOptions = Readonly<{ trustedHops: number; now: () => number }>;

const windowMs = 5 * 60_000;
const requestsMax = 30;
const addressesMax = 10_000;

/** Limits what an address makes this process and the provider do; each instance counts for itself. */
export function createSignInLimits({ trustedHops, now }: SignInLimitsOptions): SignInLimits {
  const createCounter = () => {
    const times = new LRUCache<string, readonly number[]>({ max: addressesMax });
    return (request: Request) => {
      const address = groupAddress(toClientAddress(request, trustedHops));
      // Where Next serves alone nobody knows it.
      if (address === '') return;
      const at = now();
      const recent = (times.get(address) ?? []).filter((time) => time > at - windowMs);
      const [first = at] = recent;
      if (recent.length >= requestsMax) throw tooMany(first + windowMs - at);
      times.set(address, [...recent, at]);
    };
  };
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
