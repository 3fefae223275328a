import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeKeyInput } from '../../support/factories/key-services.ts';
import { type FakeProvider, startFakeProvider } from '../../support/members/fake-provider.ts';
import { createTestBrowser, type TestBrowser } from '../../support/members/test-browser.ts';
import {
  type MarqueeServerInProcess,
  startMarqueeInProcess,
} from '../../support/servers/marquee-server.ts';

/** Nobody listens there: the test's browser goes to the server in this process. */
const siteUrl = 'http://localhost:4998';
const hourMs = 3_600_000;

let provider: FakeProvider;
let server: MarqueeServerInProcess;
let browser: TestBrowser;

beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

// A new one knows nothing of the provider yet.
beforeEach(async () => {
  provider.misbehave({});
  server = await startMarqueeInProcess({
    ...provider.environment,
    SITE_URL: siteUrl,
    MEMBERS_ALLOWED: '*',
    // Nothing listens there: only keys are read.
    AI_UPSTREAM_URL: 'http://127.0.0.1:1/v1',
    AI_UPSTREAM_KEY: 'x',
  });
  browser = createTestBrowser({ [siteUrl]: server.url });
  return () => server.stop();
});

const signIn = async () => (await browser.open(`${siteUrl}/sign-in`)).url;
const findMember = async () => {
  const cookie = `marquee-session=${browser.cookies.get('localhost:4998 marquee-session')}`;
  return (await server.services.members?.findSession(new Headers({ cookie })))?.member;
};

test.each([
  ['names another issuer', { discoveredIssuer: 'https://evil.example' }, 'refused'],
  ['has tokens of another issuer', { claims: { iss: 'https://evil.example' } }, 'refused'],
  ['has tokens for another site', { claims: { aud: 'another-site' } }, 'refused'],
  ['has tokens for another sign-in', { claims: { nonce: 'of-another' } }, 'refused'],
  ['has a clock an hour behind', { clockMs: -hourMs }, 'refused'],
  ['goes down before the code is exchanged', { isTokenEndpointDown: true }, 'provider'],
])('a provider that %s signs nobody in', async (_, misbehaviour, problem) => {
  provider.misbehave(misbehaviour);
  expect(await signIn()).toBe(`${siteUrl}/account?problem=${problem}`);
  expect([...browser.cookies.keys()].filter((key) => key.endsWith('marquee-session'))).toEqual([]);
  expect(server.logText()).toContain(`sign_in_${problem}`);
});

test('the log says that a clock is wrong', async () => {
  provider.misbehave({ clockMs: -hourMs });
  await signIn();
  expect(server.logText()).toContain('OAUTH_JWT_TIMESTAMP_CHECK_FAILED');
});

test('a clock an hour ahead does no harm: the token is young', async () => {
  provider.misbehave({ clockMs: hourMs });
  expect(await signIn()).toBe(`${siteUrl}/account`);
});

test('an ID token without an e-mail address, name and verification signs in somebody without them', async () => {
  provider.misbehave({ claims: { name: undefined, email: undefined, email_verified: undefined } });
  expect(await signIn()).toBe(`${siteUrl}/account`);
  expect(await findMember()).toMatchObject({ name: 'Member', email: null });
});

test('a name of 300 characters with markup and control characters is one line of at most 100', async () => {
  const name = `<script>alert(1)</script>\u202e\u0000\r\n${'<b>Ada</b>'.repeat(30)}`;
  provider.misbehave({ claims: { name } });
  await signIn();
  const stored = (await findMember())?.name ?? '';
  expect(stored).toHaveLength(100);
  expect(stored).toMatch(/^<script>alert\(1\)<\/script> <b>Ada<\/b>/);
  expect(stored).not.toMatch(/\p{C}/u);
});

test('claims of odd types and sizes do no harm', async () => {
  const claims = { name: ['Ada'], email: { a: 1 }, email_verified: 'yes', sub: '🜁'.repeat(50) };
  provider.misbehave({ claims });
  expect(await signIn()).toBe(`${siteUrl}/account`);
  expect(await findMember()).toMatchObject({ name: 'Member', email: null });
});

test('a provider that hangs holds up neither the account page nor signing out', async () => {
  provider.misbehave({ isHanging: true });
  expect(await server.services.members?.formTargets()).toEqual([]);
});

test('while the provider is down, keys and sessions go on working', async () => {
  await signIn();
  const member = await findMember();
  if (member === undefined) throw new Error('Nobody is signed in.');
  const { account } = server.services.members ?? {};
  const issued = await account?.createKey(member, makeKeyInput());
  await provider.close();
  const headers = { authorization: `Bearer ${issued?.text}` };
  const key = await fetch(`${server.url}/proxy/v1/key`, { headers });
  expect(key.status).toBe(200);
  expect((await browser.open(`${siteUrl}/account/usage.json`)).status).toBe(200);
  provider = await startFakeProvider();
});
