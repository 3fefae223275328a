import { expect, test } from 'vitest';
import { pageSecurityHeaders } from '#lib/http/security-headers.ts';

test('only scripts from the given sources may run', () => {
  const headers = new Map(pageSecurityHeaders({ scriptSources: ["'sha256-a='"], isHttps: true }));
  const policy = headers.get('Content-Security-Policy') ?? '';
  expect(policy).toContain("script-src 'self' 'sha256-a=';");
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toContain('unsafe-eval');
});

test('only an HTTPS site sends HSTS', () => {
  const headersOf = (isHttps: boolean) =>
    new Map(pageSecurityHeaders({ scriptSources: [], isHttps }));
  expect(headersOf(true).get('Strict-Transport-Security')).toBe('max-age=31536000');
  expect(headersOf(false).has('Strict-Transport-Security')).toBe(false);
});

test('only pages that ask may have the visitor’s position', () => {
  const policyOf = (asksPosition: boolean) =>
    new Map(pageSecurityHeaders({ scriptSources: [], isHttps: true, asksPosition })).get(
      'Permissions-Policy',
    );
  expect(policyOf(true)).toContain('geolocation=(self)');
  expect(policyOf(false)).toContain('geolocation=()');
});
