import { hash } from 'node:crypto';

/** What every answer says, whatever it holds: names and values in turn. */
export const commonSecurityHeaders: readonly string[] = ['X-Content-Type-Options', 'nosniff'];

// What a page may do, whatever scripts it has.
const fixedPolicy = [
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

const pageHeaders: readonly string[] = [
  'Referrer-Policy',
  'strict-origin-when-cross-origin',
  'Permissions-Policy',
  'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  ...commonSecurityHeaders,
];

/**
 * What can be said of every page before any is made, for where nobody sees pages before they are sent:
 * all but the rules for scripts, and HSTS, which hangs on the site's address.
 */
export const fixedPageHeaders: readonly string[] = [
  'Content-Security-Policy',
  fixedPolicy.join('; '),
  ...pageHeaders,
];

type PagePolicy = Readonly<{ html: string; isHttps: boolean }>;

/**
 * Headers that bind what a page may do (CSP 3, Referrer Policy, Permissions Policy, RFC 6797). Inline
 * scripts are allowed by their hashes, not by a nonce: so a page can be kept and sent again. Styles may
 * be inline, since each event brings its own colours.
 */
export function pageSecurityHeaders({ html, isHttps }: PagePolicy): string[] {
  const scripts = findInlineScripts(html).map((text) => `'sha256-${toHash(text)}'`);
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${[...new Set(scripts)].join(' ')}`.trimEnd(),
    ...fixedPolicy,
  ];
  const headers = ['Content-Security-Policy', policy.join('; '), ...pageHeaders];
  if (isHttps) headers.push('Strict-Transport-Security', 'max-age=31536000');
  return headers;
}

// In HTML that React wrote: a script without `src` that browsers would run.
function findInlineScripts(html: string): string[] {
  const found: string[] = [];
  for (const [, attributes = '', text = ''] of html.matchAll(
    /<script\b([^>]*)>([\s\S]*?)<\/script>/gi,
  )) {
    const isData = /\btype="(?!module"|text\/javascript")[^"]*"/i.test(attributes);
    if (!/\bsrc=/i.test(attributes) && !isData) found.push(text);
  }
  return found;
}

function toHash(text: string): string {
  return hash('sha256', text, 'base64');
}
