import { beforeEach, expect, test } from 'vitest';
import { makeKeyInput } from '../../../support/factories/key-services.ts';
import { forTests } from '../../../support/for-tests.ts';
import { type Misbehaviour, startFakeProvider } from '../../../support/members/fake-provider.ts';
import { createTestBrowser, type TestBrowser } from '../../../support/members/test-browser.ts';
import {
  type MarqueeServerInProcess,
  startMarqueeInProcess,
} from '../../../support/servers/marquee-server.ts';
import { waitFor } from '../../../support/wait-for.ts';

/** Nobody listens there: the test's browser goes to the server in this process. */
const siteUrl = 'http://localhost:4998';
const hourMs = 3_600_000;
const minuteMs = 60_000;

const provider = forTests(startFakeProvider);
let server: MarqueeServerInProcess;
let browser: TestBrowser;

async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  server = await startMarqueeInProcess({
    ...provider.environment,
    SITE_URL: siteUrl,
    MEMBERS_ALLOWED: '*',
    // Nothing listens there: only keys are read.
    AI_UPSTREAM_URL: 'http://127.0.0.1:1/v1',
    AI_UPSTREAM_KEY: 'x',
    ...settings,
  });
  browser = createTestBrowser({ [siteUrl]: server.url });
}

async function restart(settings?: Readonly<Record<string, string>>): Promise<void> {
  await server.stop();
  await start(settings);
}

// A new one knows nothing of the provider yet.
beforeEach(async () => {
  provider.misbehave({});
  await start();
  return () => server.stop();
});

const nowSeconds = () => Math.floor(Date.now() / 1000);
const toCookies = () =>
  [...browser.cookies].map(([key, value]) => `${key.split(' ')[1]}=${value}`).join('; ');
const signIn = async () => (await browser.open(`${siteUrl}/sign-in`)).url;
const findMember = async () => {
  const cookie = `marquee-session=${browser.cookies.get('localhost:4998 marquee-session')}`;
  return (await server.services.members?.findSession(new Headers({ cookie })))?.member;
};

// ASVS 6.8.2, 9.1.1, 9.1.2, 9.2.1, 9.2.2, 9.2.3, 10.5.1, 10.5.3, 10.5.4, 11.6.1
test.each<[string, Misbehaviour, string]>([
  ['names another issuer', { discoveredIssuer: 'https://evil.example' }, 'refused'],
  ['has tokens of another issuer', { claims: { iss: 'https://evil.example' } }, 'refused'],
  ['has tokens for another site', { claims: { aud: 'another-site' } }, 'refused'],
  ['has tokens that another site was given', { claims: { azp: 'another-site' } }, 'refused'],
  [
    'has tokens for several sites, and does not say whose',
    { claims: { aud: ['site', 'another-site'] } },
    'refused',
  ],
  ['has tokens for another sign-in', { claims: { nonce: 'of-another' } }, 'refused'],
  [
    'has an access token in place of the ID token',
    { header: { typ: 'at+jwt' }, claims: { nonce: undefined } },
    'refused',
  ],
  ['has a clock an hour behind', { clockMs: -hourMs }, 'refused'],
  ['has a clock two minutes ahead', { clockMs: 2 * minuteMs }, 'refused'],
  ['signs tokens with a key that it does not have', { signer: 'second' }, 'refused'],
  ['names a key that it does not have', { signer: 'second', header: { kid: 'two' } }, 'refused'],
  [
    'says that its tokens need no signature',
    { signer: 'nobody', header: { alg: 'none' }, algorithms: ['none', 'RS256'] },
    'refused',
  ],
  [
    'signs with its public key as the secret',
    {
      signer: 'the public key as a secret',
      header: { alg: 'HS256' },
      algorithms: ['HS256', 'RS256'],
    },
    'refused',
  ],
  ['signs with another algorithm than it says', { algorithms: ['ES256'] }, 'refused'],
  ['has no keys', { keys: 'missing' }, 'refused'],
  ['has keys of 10 MB', { keys: 'too large' }, 'refused'],
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

test.each([
  [{ clockMs: 50_000 }],
  [{ claims: { nbf: nowSeconds() + 50 } }],
  [{ clockMs: 50_000, claims: { nbf: nowSeconds() + 50, azp: 'site' } }],
  [{ claims: { exp: nowSeconds() - 30 } }],
] satisfies [Misbehaviour][])('a clock not quite a minute off does no harm: %j', async (how) => {
  provider.misbehave(how);
  expect(await signIn()).toBe(`${siteUrl}/account`);
});

// ASVS 9.1.3
test('a key that is new at the provider is read when a token names it', async () => {
  expect(await signIn()).toBe(`${siteUrl}/account`);
  provider.misbehave({ signer: 'second', header: { kid: 'two' }, keys: 'both' });
  expect(await signIn()).toBe(`${siteUrl}/account`);
});

test('a key set that hangs is waited for in that sign-in alone', async () => {
  provider.misbehave({ keys: 'hanging' });
  const pending = signIn();
  await waitFor(() => expect(provider.requests.at(-1)).toBe('/keys'));
  expect(await server.services.members?.formTargets()).toEqual([provider.issuer]);
  expect(await pending).toBe(`${siteUrl}/account?problem=provider`);
});

test('an address of the userinfo is not verified by the ID token, nor the other way round', async () => {
  for (const [claims, userInfo, email] of [
    [{}, { email: 'eve@makers.example' }, 'ada@makers.example'],
    [{ email: undefined }, { email: 'eve@makers.example' }, null],
    [{ email_verified: undefined }, { email_verified: true }, null],
    [
      { email_verified: undefined },
      { email: 'eve@x.example', email_verified: true },
      'eve@x.example',
    ],
    [{ email_verified: false }, { email_verified: true }, null],
  ] as const) {
    provider.misbehave({ claims, userInfo });
    await restart();
    await signIn();
    expect((await findMember())?.email, JSON.stringify([claims, userInfo])).toBe(email);
  }
});

test.each([401, 403, 404])(
  'a userinfo that responds %i is not needed where the ID token has all that rules look at',
  async (userInfoStatus) => {
    provider.misbehave({ claims: { groups: ['makers'] }, userInfo: {}, userInfoStatus });
    await restart({ MEMBERS_ALLOWED: 'makers.example,groups=makers' });
    await signIn();
    expect((await findMember())?.email).toBe('ada@makers.example');
    await signIn();
    expect(server.logText().split('refuses its userinfo')).toHaveLength(2);
  },
);

test.each<[string, Misbehaviour]>([
  ['rules look at more than the ID token has', { userInfo: {}, userInfoStatus: 403 }],
  ['it is another error', { claims: { groups: [] }, userInfo: {}, userInfoStatus: 500 }],
])('a sign-in fails without userinfo where %s', async (_, misbehaviour) => {
  provider.misbehave(misbehaviour);
  await restart({ MEMBERS_ALLOWED: 'makers.example,groups=makers' });
  expect(await signIn()).toContain('/account?problem=');
  expect(await findMember()).toBeUndefined();
});

test.each([
  ['می\u200cخواهم', 'می\u200cخواهم'],
  [`${'x'.repeat(99)}👩\u200d🚀`, 'x'.repeat(99)],
  [`${'x'.repeat(99)}🇧🇪`, 'x'.repeat(99)],
  [`${'x'.repeat(99)}é`, `${'x'.repeat(99)}é`],
  ['A\u0000da\u202e L', 'A da  L'],
  ['\u200d\u200c', 'ada@makers.example'],
])('the name %j becomes %j', async (name, shown) => {
  provider.misbehave({ claims: { name } });
  await signIn();
  expect((await findMember())?.name).toBe(shown);
});

test.each([
  ['', ''],
  ['/', ''],
  ['', '/'],
])(
  'a final slash of the issuer (setting %j, discovered %j) makes no second person',
  async (setting, discovered) => {
    await signIn();
    const first = await findMember();
    provider.misbehave({
      discoveredIssuer: `${provider.issuer}${discovered}`,
      claims: { iss: `${provider.issuer}${discovered}` },
    });
    await restart({ OIDC_ISSUER: `${provider.issuer}${setting}` });
    expect(await signIn()).toBe(`${siteUrl}/account`);
    expect((await findMember())?.issuer).toBe(`${provider.issuer}${discovered}`);
    if (discovered === '') expect(first?.issuer).toBe(provider.issuer);
  },
);

// ASVS 6.8.4
test.each<[string, Record<string, unknown>, string]>([
  ['just now', { auth_time: nowSeconds() - 60 }, 'send-again'],
  ['an hour ago', { auth_time: nowSeconds() - 3600 }, 'not-again'],
  ['in an hour', { auth_time: nowSeconds() + 3600 }, 'not-again'],
  // As Google and GitLab.
  ['at no time that it says', {}, 'send-again'],
  ['at a time that is a text', { auth_time: String(nowSeconds()) }, 'refused'],
])('a member who signs in again and was at the provider %s gets %j', async (_, claims, problem) => {
  provider.misbehave({ claims });
  expect((await browser.open(`${siteUrl}/sign-in?again=1`)).url).toBe(
    `${siteUrl}/account?problem=${problem}`,
  );
  expect((await findMember()) !== undefined).toBe(problem === 'send-again');
});

test('the code of one sign-in with the state of another signs nobody in', async () => {
  const start = async () => {
    const options = { redirect: 'manual', headers: { cookie: toCookies() } } as const;
    const response = await fetch(`${server.url}/sign-in`, options);
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      browser.cookies.set(`localhost:4998 ${name}`, value);
    }
    const authorized = await fetch(response.headers.get('location') ?? '', { redirect: 'manual' });
    return new URL(authorized.headers.get('location') ?? '');
  };
  const [a, b] = [await start(), await start()];
  a.searchParams.set('state', b.searchParams.get('state') ?? '');
  expect((await browser.open(a.href)).url).toBe(`${siteUrl}/account?problem=refused`);
  expect(await findMember()).toBeUndefined();
});

const tenant = '3aa4a235-b6e2-48d5-9195-7fcf05b459b0';

test.each<[Record<string, unknown>, string, string | null]>([
  [{ email_verified: undefined, tid: tenant }, 'EMAIL_VERIFIED_MISSING', `tid=${tenant}`],
  [{ email_verified: undefined }, 'EMAIL_VERIFIED_MISSING', null],
  [{ email_verified: false, hd: 'makers.example' }, 'EMAIL_NOT_VERIFIED', 'hd=makers.example'],
  [{ email_verified: undefined, hd: 'x\nADMIN' }, 'EMAIL_VERIFIED_MISSING', null],
  // Everybody with a personal Microsoft account has this tenant.
  [{ email: undefined, tid: '9188040d-6c67-4c5b-b112-36a304b66dad' }, 'EMAIL_MISSING', null],
  [{ email: 'ada@elsewhere.example', tid: tenant }, 'NO_RULE_ADMITS', `tid=${tenant}`],
])('the log says why %j is not admitted, and which rule would', async (claims, code, rule) => {
  provider.misbehave({ claims });
  await restart({ MEMBERS_ALLOWED: 'makers.example' });
  expect(await signIn()).toBe(`${siteUrl}/account?problem=not-allowed`);
  const { security } = server.services.members ?? {};
  expect(security?.findLastRejection()?.rejection).toEqual({ code, rule });
  expect(server.logText()).toContain(`code: '${code}'`);
  expect(server.logText()).not.toContain('ada@');
});

/** What ID tokens and userinfo of providers contain, and rules of the docs. */
test.each<[string, string, Misbehaviour, string | null]>([
  [
    'Google',
    'hd=makers.example',
    { claims: { hd: 'makers.example', azp: 'site', at_hash: undefined } },
    'ada@makers.example',
  ],
  [
    'Entra',
    `tid=${tenant}`,
    { claims: { email_verified: undefined, tid: tenant, nbf: nowSeconds() - 300, ver: '2.0' } },
    null,
  ],
  [
    'Keycloak',
    'realm_access.roles=member',
    { claims: { realm_access: { roles: ['member'] }, azp: 'site', auth_time: nowSeconds() } },
    'ada@makers.example',
  ],
  [
    'Authentik',
    'groups=members',
    { claims: { email_verified: false, groups: ['authentik Admins', 'members'] } },
    null,
  ],
  [
    'GitLab',
    'groups=harbour/makers',
    {
      claims: { email: undefined, email_verified: undefined, groups_direct: ['harbour'] },
      userInfo: { email: 'ada@makers.example', email_verified: true, groups: ['harbour/makers'] },
    },
    'ada@makers.example',
  ],
  [
    'Okta',
    'groups=Everyone',
    { claims: { groups: ['Everyone'], ver: 1, amr: ['pwd'] } },
    'ada@makers.example',
  ],
  [
    'Auth0',
    'https://example.org/groups=members',
    { claims: { 'https://example.org/groups': ['members'], sid: 'x' } },
    'ada@makers.example',
  ],
  [
    'Zitadel',
    'urn:zitadel:iam:org:project:roles=member',
    {
      claims: { aud: ['site', '2874'], azp: 'site', email: undefined, email_verified: undefined },
      userInfo: {
        email: 'ada@makers.example',
        email_verified: true,
        'urn:zitadel:iam:org:project:roles': { member: { '2871': 'makers.zitadel.example' } },
      },
    },
    'ada@makers.example',
  ],
  [
    'Keycloak with signed userinfo',
    'groups=members',
    {
      isUserInfoSigned: true,
      namesIssuer: true,
      claims: { email: undefined, email_verified: undefined },
      userInfo: { email: 'ada@makers.example', email_verified: true, groups: ['members'] },
    },
    'ada@makers.example',
  ],
  [
    'Authelia',
    'groups=makers',
    {
      namesIssuer: true,
      claims: { email: undefined, email_verified: undefined, name: undefined, amr: ['pwd'] },
      userInfo: { email: 'ada@makers.example', email_verified: true, groups: ['makers', 'dev'] },
    },
    'ada@makers.example',
  ],
  [
    'Amazon Cognito',
    'cognito:groups=makers',
    {
      claims: { 'cognito:groups': ['makers'], email: undefined, email_verified: undefined },
      userInfo: { email: 'ada@makers.example', email_verified: 'true', username: 'ada' },
    },
    'ada@makers.example',
  ],
  [
    'JumpCloud',
    'member_of=makers',
    { claims: { email_verified: 'true', member_of: ['makers'], jc_org: '7778e57842cd' } },
    'ada@makers.example',
  ],
  [
    'Dex',
    'groups=makers:members',
    {
      claims: {
        groups: ['makers:members'],
        federated_claims: { connector_id: 'github', user_id: '7' },
      },
    },
    'ada@makers.example',
  ],
])('people of %s sign in by the rule %s', async (_, rule, how, email) => {
  provider.misbehave(how);
  await restart({ MEMBERS_ALLOWED: rule });
  expect(await signIn()).toBe(`${siteUrl}/account`);
  expect((await findMember())?.email).toBe(email);
  provider.misbehave({});
  await restart({ MEMBERS_ALLOWED: rule });
  expect(await signIn()).toBe(`${siteUrl}/account?problem=not-allowed`);
});

test('the rule that the log names admits', async () => {
  provider.misbehave({ claims: { email_verified: undefined, tid: tenant } });
  await restart({ MEMBERS_ALLOWED: `makers.example, tid=${tenant}` });
  expect(await signIn()).toBe(`${siteUrl}/account`);
  expect(await findMember()).toMatchObject({ email: null, claims: { tid: [tenant] } });
});

test('a token of 20 kB with 500 groups and a name beyond ASCII signs in', async () => {
  const groups = Array.from({ length: 500 }, (_, index) => `/makers/${index} of the Hafenstraße`);
  provider.misbehave({ claims: { groups, name: `Jörg ${'🜁'.repeat(120)}` } });
  await restart({ MEMBERS_ALLOWED: 'groups=/makers/499 of the Hafenstraße' });
  expect(await signIn()).toBe(`${siteUrl}/account`);
  expect((await findMember())?.name).toBe(`Jörg ${'🜁'.repeat(95)}`);
});

test('an ID token without an e-mail address, name and verification signs in somebody without them', async () => {
  provider.misbehave({ claims: { name: undefined, email: undefined, email_verified: undefined } });
  expect(await signIn()).toBe(`${siteUrl}/account`);
  expect(await findMember()).toMatchObject({ name: 'Member', email: null });
});

// ASVS 16.4.1
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

// Last: the provider does not come back.
// ASVS 16.5.2
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
});
