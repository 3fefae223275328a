import { beforeEach, expect, test } from 'vitest';
import { createGithub } from '#lib/accounts/sign-in/github.ts';
import { createProvider } from '#lib/accounts/sign-in/provider.ts';
import { loadConfig } from '#lib/config/config.ts';
import type { MembersConfig } from '#lib/config/members-config.ts';
import { silentLog } from '#lib/http/log.ts';
import { forTests } from '../../../support/for-tests.ts';
import { startFakeGithub } from '../../../support/members/fake-github.ts';

const siteUrl = 'https://events.example';
const github = forTests(startFakeGithub);

// A test may change what the API responds with.
beforeEach(() => {
  const usual = { ...github.api };
  return () => void Object.assign(github.api, usual);
});

function loadSettings(environment: Readonly<Record<string, string>> = {}): MembersConfig {
  const { members } = loadConfig({
    SITE_URL: siteUrl,
    OIDC_ISSUER: 'https://github.com',
    OIDC_CLIENT_ID: 'Iv1.site',
    OIDC_CLIENT_SECRET: 'secret-of-the-site',
    MEMBERS_ALLOWED: 'makers.example',
    ...environment,
  });
  if (members === null) throw new Error('There are no accounts.');
  return members;
}

const open = (settings = loadSettings()) =>
  createProvider({
    settings,
    siteUrl,
    now: Date.now,
    log: silentLog,
    kind: createGithub(settings, github.urls),
  });
const begin = (isAgain = false) => ({ ...open().makeSecrets(), isAgain });

async function signIn(provider = open(), change: (callback: URL) => void = () => {}) {
  const secrets = begin();
  const callback = github.authorize(await provider.toSignInUrl(secrets));
  change(callback);
  return provider.readClaims(callback, secrets);
}

// ASVS 10.2.1
test('a browser is sent to GitHub, with PKCE and only the scopes that are needed', async () => {
  const settings = loadSettings();
  const provider = createProvider({ settings, siteUrl, now: Date.now, log: silentLog });
  const url = new URL(await provider.toSignInUrl(begin()));
  expect(url.origin + url.pathname).toBe('https://github.com/login/oauth/authorize');
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'Iv1.site',
    redirect_uri: 'https://events.example/sign-in/callback',
    response_type: 'code',
    scope: 'read:user user:email',
    code_challenge_method: 'S256',
  });
  expect(settings.providerName).toBe('GitHub');
  expect(await open().toSignOutUrl()).toBeNull();
});

// ASVS 10.1.1
test('the user and the verified primary e-mail address come from GitHub’s API', async () => {
  expect(await signIn()).toEqual({
    issuer: 'https://github.com',
    subject: '4201',
    name: 'Ada Moreno',
    preferred_username: 'ada',
    login: 'ada',
    email: 'ada@makers.example',
    email_verified: true,
    orgs: [],
  });
});

test.each([
  ['makers.example', 'ada@makers.example', true],
  ['old.example', 'ada@old.example', true],
  ['ada@old.example, makers.example', 'ada@makers.example', true],
  ['orgs=harbour-makers', 'ada@makers.example', true],
  ['users.noreply.github.com, new.example', 'ada@makers.example', true],
])('of several addresses, the rules %s choose %s', async (allowed, email, isVerified) => {
  const settings = loadSettings({ MEMBERS_ALLOWED: allowed });
  github.api['/user/emails'] = {
    status: 200,
    body: [
      { email: 'ada@new.example', primary: false, verified: false, visibility: null },
      { email: 'ada@old.example', primary: false, verified: true, visibility: null },
      { email: 'ada@makers.example', primary: true, verified: true, visibility: 'private' },
    ],
  };
  expect(await signIn(open(settings))).toMatchObject({ email, email_verified: isVerified });
});

test('an admin is one by any verified address', async () => {
  const settings = loadSettings({ ADMINS: 'ada@old.example' });
  expect(await signIn(open(settings))).toMatchObject({ email: 'ada@old.example' });
});

test('a second sign-in asks nothing that GitHub does not have', async () => {
  const url = new URL(await open().toSignInUrl(begin(true)));
  expect(url.searchParams.has('max_age')).toBe(false);
});

test('organizations are a claim where the scope to read them is asked for', async () => {
  const settings = loadSettings({ OIDC_SCOPES: 'read:user user:email read:org' });
  expect(await signIn(open(settings))).toMatchObject({ orgs: ['harbour-makers'] });
});

test.each([
  ['the state of another browser', (url: URL) => url.searchParams.set('state', 'x')],
  ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
  ['a code that GitHub does not know', (url: URL) => url.searchParams.set('code', 'x')],
  ['no code', (url: URL) => url.searchParams.delete('code')],
])('%s signs nobody in', async (_, change) => {
  await expect(signIn(open(), change)).rejects.toThrow();
});

test('a code works once', async () => {
  const provider = open();
  const secrets = begin();
  const callback = github.authorize(await provider.toSignInUrl(secrets));
  await provider.readClaims(callback, secrets);
  await expect(provider.readClaims(callback, secrets)).rejects.toThrow();
});

test.each([
  ['/user', { id: '4201', login: 'ada' }],
  ['/user', { id: 4201.5, login: 'ada' }],
  ['/user', { id: 2 ** 60, login: 'ada' }],
  ['/user', [{ id: 4201, login: 'ada' }]],
  ['/user/emails', { email: 'ada@makers.example', primary: true, verified: true }],
  ['/user/emails', [{ email: 'ada@makers.example', primary: true, verified: 'true' }]],
  ['/user/emails', [{ email: ['ada@makers.example'], primary: true, verified: true }]],
] as const)('%s that responds with %j signs nobody in', async (path, body) => {
  github.api[path] = { status: 200, body };
  await expect(signIn()).rejects.toThrow();
});

test('an address that nobody has verified is none, whatever the rules name', async () => {
  const settings = loadSettings({ ADMINS: 'robin@makers.example' });
  const read = async (...body: object[]) => {
    github.api['/user/emails'] = { status: 200, body };
    const { email, email_verified: isVerified } = await signIn(open(settings));
    return [email, isVerified];
  };
  const ada = { email: 'ada@makers.example', primary: true, verified: false };
  expect(await read(ada)).toEqual([ada.email, false]);
  const robin = { email: 'robin@makers.example', primary: false, verified: false };
  const own = { email: 'ada@elsewhere.example', primary: true, verified: true };
  expect(await read(robin, own)).toEqual([own.email, true]);
  expect(await read()).toEqual([undefined, undefined]);
});

test('an API that fails, or responds with something else, signs nobody in', async () => {
  for (const [status, body] of [
    [503, {}],
    [403, { message: 'Forbidden' }],
    [200, { login: 'ada' }],
  ] as const) {
    github.api['/user'] = { status, body };
    await expect(signIn()).rejects.toThrow();
  }
});
