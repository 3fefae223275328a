import { expect, test, vi } from 'vitest';
import { readKeyForm } from '#lib/accounts/account/key-actions.ts';
import { requireFormToken, requireOwnOrigin } from '#lib/accounts/routes/read-form.ts';

const site = 'https://events.example';
const now = Date.parse('2026-03-10T12:00:00Z');
const read = (fields: string) => readKeyForm(new URLSearchParams(fields), now);

test.each([
  [{ origin: site, 'sec-fetch-site': 'same-origin' }, true],
  [{ origin: site }, true],
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{}, false],
  [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, false],
  [{ origin: 'https://sibling.events.example', 'sec-fetch-site': 'same-site' }, false],
  [{ origin: site, 'sec-fetch-site': 'same-site' }, false],
  [{ origin: 'null' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ origin: 'http://events.example' }, false],
])('a form with %o is accepted: %s', (headers: Record<string, string>, isAccepted) => {
  const request = new Request(site, { method: 'POST', headers });
  const postRejected = vi.fn();
  const check = () => requireOwnOrigin(request, site, { postRejected });
  if (isAccepted) expect(check).not.toThrow();
  else expect(check).toThrow('from another site');
  expect(postRejected.mock.calls).toEqual(isAccepted ? [] : [[request]]);
});

// ASVS 3.5.2
test('only the token of the session is accepted', () => {
  const signedIn = { formToken: 'a-token' } as Parameters<typeof requireFormToken>[1];
  expect(() => requireFormToken('a-token', signedIn)).not.toThrow();
  for (const wrong of [null, '', 'a-tokeN', 'a-token2']) {
    expect(() => requireFormToken(wrong, signedIn)).toThrow('older than your sign-in');
  }
});

// ASVS 15.3.3
test('a form becomes a key; fields left out have the defaults, and others are ignored', () => {
  expect(read('name=+laptop+&tokensPerDay=9&owner=mbr_robin')).toEqual({
    name: 'laptop',
    budget: null,
    expiresAt: null,
    models: null,
    tokensPerDay: null,
    requestsPerMinute: null,
  });
  expect(
    read('name=a&expires=7&budget=1+USD/day&models=demo/small&models=demo/large'),
  ).toMatchObject({
    expiresAt: Date.parse('2026-03-17T12:00:00Z'),
    budget: { nanoUsdPerDay: 1e9 },
    models: ['demo/small', 'demo/large'],
  });
});

test.each([
  ['name=', 'key-name'],
  ['', 'key-name'],
  [`name=${'x'.repeat(300)}`, 'key-name'],
  ['name=a%0Ab', 'key-name'],
  ['name=a&expires=0', 'key-expiry'],
  ['name=a&expires=-1', 'key-expiry'],
  ['name=a&expires=2026-01-01', 'key-expiry'],
  ['name=a&budget=5', 'key-budget'],
  ['name=a&budget=-1+USD/day', 'key-budget'],
  ['name=a&budget=1.5+tokens/day', 'key-budget'],
  ['name=a&models=a,b', 'key-models'],
])('%s is the problem %s', (fields, problem) => {
  expect(read(fields)).toBe(problem);
});
