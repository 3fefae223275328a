import type { HeaderFields } from './response.ts';

/** Security headers of every response. */
export const commonSecurityHeaders: HeaderFields = [['X-Content-Type-Options', 'nosniff']];

/** Security headers of every response that depend on the site: browsers come by HTTPS only (RFC 6797). */
export function toTransportHeaders({ url }: Readonly<{ url: string }>): HeaderFields {
  return url.startsWith('https:') ? [['Strict-Transport-Security', 'max-age=31536000']] : [];
}

/** For what other sites show: those that isolate themselves load nothing else (Fetch, COEP). */
export const crossOriginHeaders: HeaderFields = [['Cross-Origin-Resource-Policy', 'cross-origin']];

type PageSecurity = Readonly<{
  /** CSP source expressions of the scripts that may run: hashes, or a nonce. */
  scriptSources: readonly string[];
  /** Origins that forms may lead to, redirects included. */
  formTargets?: readonly string[] | undefined;
  /** Whether the page may ask where the visitor is. */
  asksPosition?: boolean;
}>;

/**
 * Security headers of a page (CSP 3, Referrer Policy, Permissions Policy). Styles may be inline,
 * since each event brings its own colours.
 */
export function pageSecurityHeaders(options: PageSecurity): HeaderFields {
  const { scriptSources, formTargets = [], asksPosition = false } = options;
  const policy = [
    "default-src 'self'",
    ["script-src 'self'", ...scriptSources].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
  ];
  return [
    ['Content-Security-Policy', policy.join('; ')],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    [
      'Permissions-Policy',
      `camera=(), geolocation=(${asksPosition ? 'self' : ''}), microphone=(), payment=(), usb=()`,
    ],
    ...commonSecurityHeaders,
  ];
}
