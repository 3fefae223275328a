import type { HeaderFields } from './response.ts';

/** Any page may read the public API: responses do not depend on the origin, so `*` and no `Vary: Origin`. */
export const corsHeaders: HeaderFields = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'ETag, Last-Modified, Link, Age, Retry-After, X-Request-Id'],
];

/** Request headers of those who read the events. */
const readersHeaders =
  'Accept, Accept-Language, Content-Type, If-None-Match, If-Modified-Since, X-Request-Id';

/** Headers of the response to OPTIONS, a preflight or not (RFC 9110 §9.3.7, Fetch §3.3). */
export function preflightHeaders(methods: string, allowedHeaders = readersHeaders): HeaderFields {
  return [
    ['Access-Control-Allow-Methods', methods],
    ['Access-Control-Allow-Headers', allowedHeaders],
    ['Access-Control-Max-Age', '86400'],
    ['Allow', methods],
  ];
}
