import { expect, test } from 'vitest';
import { pageSecurityHeaders, toTransportHeaders } from '#lib/http/security-headers.ts';

// ASVS 3.4.3, 14.2.3
test('only scripts from the given sources may run', () => {
  const headers = new Map(pageSecurityHeaders({ scriptSources: ["'sha256-a='"] }));
  const policy = headers.get('Content-Security-Policy') ?? '';
  expect(policy).toContain("script-src 'self' 'sha256-a=';");
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toContain('unsafe-eval');
});

// ASVS 3.4.5, 3.4.6
test('no site frames a page, and another site learns of it no more than where it is from', () => {
  const headers = new Map(pageSecurityHeaders({ scriptSources: [] }));
  const policy = headers.get('Content-Security-Policy')?.split('; ');
  for (const part of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"]) {
    expect(policy).toContain(part);
  }
  expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
});

test('only an HTTPS site sends HSTS', () => {
  expect(toTransportHeaders({ url: 'https://events.example' })).toEqual([
    ['Strict-Transport-Security', 'max-age=31536000'],
  ]);
  expect(toTransportHeaders({ url: 'http://events.example' })).toEqual([]);
});

test('only pages that ask may have the visitor’s position', () => {
  const policyOf = (asksPosition: boolean) =>
    new Map(pageSecurityHeaders({ scriptSources: [], asksPosition })).get('Permissions-Policy');
  expect(policyOf(true)).toContain('geolocation=(self)');
  expect(policyOf(false)).toContain('geolocation=()');
});
