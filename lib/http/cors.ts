/** Anyone may read from any page: nothing here depends on who asks, so `*` and no `Vary: Origin`. */
export const corsHeaders: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Last-Modified, Link, Age, Retry-After, X-Request-Id',
];

/** Headers of the answer to a preflight, and to any OPTIONS (RFC 9110 §9.3.7, Fetch §3.3). */
export function preflightHeaders(methods: string): string[] {
  return [
    'Access-Control-Allow-Methods',
    methods,
    'Access-Control-Allow-Headers',
    'Accept, Accept-Language, Content-Type, If-None-Match, If-Modified-Since, X-Request-Id',
    'Access-Control-Max-Age',
    '86400',
    'Allow',
    methods,
  ];
}
