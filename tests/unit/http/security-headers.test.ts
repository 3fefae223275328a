import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { pageSecurityHeaders } from '#lib/http/security-headers.ts';

function policyOf(html: string): string {
  const headers = pageSecurityHeaders({ html, isHttps: true });
  return headers[headers.indexOf('Content-Security-Policy') + 1] ?? '';
}

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('each inline script is allowed by its hash, once', () => {
  const html =
    '<script>one()</script><p>x</p><script id="a">\ntwo()\n</script><script>one()</script>';
  expect(policyOf(html)).toContain(
    `script-src 'self' ${sourceOf('one()')} ${sourceOf('\ntwo()\n')};`,
  );
});

test('scripts from files, and data that no browser runs, need no hash', () => {
  const html =
    '<script src="/a.js" async=""></script><script type="application/ld+json">{"a":1}</script>';
  expect(policyOf(html)).toContain("script-src 'self';");
});

test('a module is a script', () => {
  expect(policyOf('<script type="module">x()</script>')).toContain(sourceOf('x()'));
});

test('HTTPS is asked for only where the site has it', () => {
  expect(pageSecurityHeaders({ html: '', isHttps: true })).toContain('Strict-Transport-Security');
  expect(pageSecurityHeaders({ html: '', isHttps: false })).not.toContain(
    'Strict-Transport-Security',
  );
});
