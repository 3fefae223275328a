import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  demoPeople,
  type IdentityServer,
  startIdentityServer,
} from '#lib/demo/identity/identity-server.ts';
import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import { makeKeyRecord } from '../../support/factories/key-factory.ts';
import { makeKeyOwner } from '../../support/factories/member-factory.ts';
import { createTestBrowser, type Page } from '../../support/members/test-browser.ts';
import {
  type MarqueeServerInProcess,
  startMarqueeInProcess,
} from '../../support/servers/marquee-server.ts';

/** Nobody listens there: the test's browser goes to the server in this process. */
const siteUrl = 'http://localhost:4999';
const account = `${siteUrl}/account`;

let identity: IdentityServer;
let server: MarqueeServerInProcess;
const clockMs = 0;

beforeAll(async () => {
  identity = await startIdentityServer({
    siteUrl,
    people: [
      ...demoPeople,
      { subject: 'eve', name: 'Eve', email: 'eve@makers.example', isVerified: false },
      { subject: 'kim', name: 'Kim', email: 'kim@makers.example', isVerified: true },
      { subject: 'sam', name: 'Sam', email: null, isVerified: false },
    ],
  });
  server = await startMarqueeInProcess(
    {
      SITE_URL: siteUrl,
      OIDC_ISSUER: identity.issuer,
      OIDC_CLIENT_ID: identity.clientId,
      OIDC_CLIENT_SECRET: identity.clientSecret,
      MEMBERS_ALLOWED: 'makers.example',
      TRUST_PROXY: '1',
    },
    { now: () => Date.now() + clockMs },
  );
});

afterAll(async () => {
  await server.stop();
  await identity.close();
});

const open = () => createTestBrowser({ [siteUrl]: server.url });
type Browser = ReturnType<typeof open>;

async function signIn(browser: Browser, person: string): Promise<Page> {
  const choice = await browser.open(`${siteUrl}/sign-in`);
  return browser.submit(choice, choice.url, { person });
}

const toSession = ({ cookies }: Browser) => cookies.get('localhost:4999 marquee-session');
const find = (browser: Browser) =>
  server.services.members?.findSession(
    new Headers({ cookie: `marquee-session=${toSession(browser)}` }),
  );

/** A page of the account has the token; pages are stubs here. */
async function post(browser: Browser, path: string, fields: Record<string, string> = {}) {
  const token = (await find(browser))?.formToken ?? '';
  const body = new URLSearchParams({ token, ...fields });
  return browser.open(siteUrl + path, { method: 'POST', body, headers: { origin: siteUrl } });
}

test('a member signs in at the provider, and comes back with a session', async () => {
  const browser = open();
  const page = await signIn(browser, 'ada');
  expect(page.url).toBe(account);
  expect(await find(browser)).toMatchObject({
    member: { name: 'Ada Moreno', email: 'ada@makers.example', issuer: identity.issuer },
  });
  // Nothing of the attempt is left.
  expect([...browser.cookies.keys()].filter((name) => name.includes('sign-in'))).toEqual([]);
});

test.each([
  ['eve', 'not-allowed'],
  ['sam', 'not-allowed'],
  ['', 'denied'],
])('%j is turned away: %s', async (person, problem) => {
  const browser = open();
  expect((await signIn(browser, person)).url).toBe(`${account}?problem=${problem}`);
  expect(toSession(browser)).toBeUndefined();
});

test('a callback with the state of another browser, a made-up one or none signs nobody in', async () => {
  const [one, other] = [open(), open()];
  const choice = await one.open(`${siteUrl}/sign-in`);
  const stopped = await fetch(choice.url, {
    method: 'POST',
    body: new URLSearchParams({ person: 'ada' }),
    headers: { cookie: toCookies(one, new URL(choice.url).host) },
    redirect: 'manual',
  });
  const resume = await fetch(stopped.headers.get('location') ?? '', {
    headers: {
      cookie: [
        toCookies(one, new URL(choice.url).host),
        ...stopped.headers.getSetCookie().map((c) => c.split(';')[0]),
      ].join('; '),
    },
    redirect: 'manual',
  });
  const callback = resume.headers.get('location') ?? '';
  expect(callback).toContain('/sign-in/callback?code=');
  expect((await other.open(callback)).url).toBe(`${account}?problem=stale`);
  expect(toSession(other)).toBeUndefined();
  for (const query of [
    '',
    '?state=',
    '?code=x&state=%F0%9F%98%80',
    `?code=x&state=${'s'.repeat(5000)}`,
  ]) {
    const page = await other.open(`${siteUrl}/sign-in/callback${query}`);
    expect(page.url).toBe(`${account}?problem=stale`);
  }
  // It works once in its own browser, and never again.
  expect((await one.open(callback)).url).toBe(account);
  expect((await one.open(callback)).url).toBe(`${account}?problem=stale`);
});

test('two tabs sign in side by side', async () => {
  const browser = open();
  const [first, second] = [
    await browser.open(`${siteUrl}/sign-in`),
    await browser.open(`${siteUrl}/sign-in`),
  ];
  expect((await browser.submit(first, first.url, { person: 'ada' })).url).toBe(account);
  const session = toSession(browser);
  expect((await browser.submit(second, second.url, { person: 'ada' })).url).toBe(account);
  expect(toSession(browser)).not.toBe(session);
});

test('a session that the browser brought along is not taken over', async () => {
  const browser = open();
  browser.cookies.set('localhost:4999 marquee-session', 'x'.repeat(43));
  await signIn(browser, 'ada');
  expect(toSession(browser)).toMatch(/^[\w-]{43}$/);
  expect(toSession(browser)).not.toBe('x'.repeat(43));
});

test('a key is made by a form, shown to its member once, renamed, rotated and revoked', async () => {
  const browser = open();
  await signIn(browser, 'ada');
  const { member } = (await find(browser)) ?? {};
  const name = '<b>Ada’s</b> & "laptop"';
  expect((await post(browser, '/account/keys', { name })).url).toBe(account);
  const text = browser.cookies.get('localhost:4999 marquee-new-key') ?? '';
  expect(text).toMatch(/^mq_/);
  const keys = server.services.database.keys;
  const [key] = await keys.list(member?.id);
  expect(key).toMatchObject({ name, owner: { email: 'ada@makers.example' } });
  expect((await post(browser, '/account/keys', { name })).url).toContain('problem=key-taken');
  await post(browser, `/account/keys/${key?.id}`, { action: 'rename', name: 'laptop' });
  await post(browser, '/account/keys', { name: 'desk' });
  for (const [name, problem] of [
    ['desk', 'key-taken'],
    ['mq_desk', 'key-name'],
  ] as const) {
    const page = await post(browser, `/account/keys/${key?.id}`, { action: 'rename', name });
    expect(page.url).toContain(`${account}?problem=${problem}&key=${key?.id}`);
  }
  for (const action of ['rotate', 'revoke']) {
    const page = await post(browser, `/account/keys/${key?.id}`, { action });
    expect(page.url, 'without the tick').toBe(`${account}?problem=key-confirm`);
    expect(await keys.find('id', key?.id ?? '')).toMatchObject({
      revokedAt: null,
      hash: key?.hash,
    });
  }
  const confirm = 'yes';
  await post(browser, `/account/keys/${key?.id}`, { action: 'rotate', confirm });
  const rotated = await keys.find('id', key?.id ?? '');
  expect(rotated).toMatchObject({ name: 'laptop' });
  expect(rotated?.hash).not.toBe(key?.hash);
  const revoked = await Promise.all(
    [1, 2].map(() => post(browser, `/account/keys/${key?.id}`, { action: 'revoke', confirm })),
  );
  const done = `${account}?done=key-revoked`;
  expect(revoked.map(({ url }) => url)).toEqual([done, done]);
  const gone = await post(browser, `/account/keys/${key?.id}`, { action: 'rename', name: 'x' });
  expect(gone.url).toContain(`${account}?problem=key-gone&key=`);
  expect((await keys.find('id', key?.id ?? ''))?.revokedAt).not.toBeNull();
});

test('a member has at most 20 keys, and makes at most 100 within a day; a thousand old ones are no burden', async () => {
  const browser = open();
  await signIn(browser, 'kim');
  const { member } = (await find(browser)) ?? {};
  const { keys } = server.services.database;
  const owner = makeKeyOwner({ id: member?.id ?? '' });
  const insert = async (count: number, overrides: Partial<KeyRecord>) => {
    for (let made = 0; made < count; made += 1) {
      await keys.insert(makeKeyRecord({ owner, ...overrides }));
      // SQLite blocks this process: the browser's connections would be closed without it knowing.
      await nextTurn();
    }
  };
  await insert(1000, { createdAt: 0, revokedAt: Date.now() });
  await insert(19, { createdAt: 0 });
  expect((await post(browser, '/account/keys', { name: 'the last' })).url).toBe(account);
  const another = await post(browser, '/account/keys', { name: 'one more' });
  expect(another.url).toContain(`${account}?problem=key-count`);
  expect((await browser.open(`${siteUrl}/account/data.json`)).status).toBe(200);

  for (const key of await keys.list(member?.id)) await keys.revoke(key.id);
  await insert(99, { createdAt: Date.now(), revokedAt: Date.now() });
  const tooMany = await post(browser, '/account/keys', { name: 'one more' });
  expect(tooMany.url).toContain(`${account}?problem=key-pace`);
});

test('a member ends a session of their own from another browser, and nobody else’s', async () => {
  const [laptop, phone, robin] = [open(), open(), open()];
  await signIn(laptop, 'ada');
  await signIn(phone, 'ada');
  await signIn(robin, 'root');
  const { session } = (await find(phone)) ?? {};
  await post(robin, `/account/sessions/${session?.id}`);
  expect(await find(phone)).not.toBeNull();
  expect((await post(laptop, `/account/sessions/${session?.id}`)).url).toBe(
    `${account}?done=session-ended`,
  );
  expect(await find(phone)).toBeNull();
  expect(await find(laptop)).not.toBeNull();
});

test('a member cannot change the key of another, nor one of the operator', async () => {
  const [ada, robin] = [open(), open()];
  await signIn(ada, 'ada');
  await signIn(robin, 'root');
  await post(ada, '/account/keys', { name: 'Ada’s own' });
  const member = (await find(ada))?.member.id;
  const { keys } = server.services.database;
  const [key] = (await keys.list(member)).filter(({ name }) => name === 'Ada’s own');
  for (const action of ['rename', 'rotate', 'revoke']) {
    await post(robin, `/account/keys/${key?.id}`, { action, name: 'mine', confirm: 'yes' });
  }
  expect(await keys.find('id', key?.id ?? '')).toEqual(key);
});

test.each([
  ['no token', {}, { origin: siteUrl }],
  ['a token of another session', { token: 'x'.repeat(43) }, { origin: siteUrl }],
])('a form with %s is a 403', async (_, fields, headers) => {
  const browser = open();
  await signIn(browser, 'ada');
  const body = new URLSearchParams({ name: 'stolen', ...fields });
  const page = await browser.open(`${siteUrl}/account/keys`, { method: 'POST', body, headers });
  expect(page.status).toBe(403);
});

test.each([
  [{ origin: 'https://evil.example' }],
  [{ origin: 'http://sub.localhost:4999', 'sec-fetch-site': 'same-site' }],
  [{}],
])('a form from elsewhere (%o) is a 403, even with the token', async (headers) => {
  const browser = open();
  await signIn(browser, 'ada');
  const token = (await find(browser))?.formToken ?? '';
  const body = new URLSearchParams({ token, name: 'stolen' });
  for (const path of ['/account/keys', '/account/delete', '/sign-out']) {
    const page = await browser.open(siteUrl + path, {
      method: 'POST',
      body,
      headers: headers as Record<string, string>,
    });
    expect(page.status).toBe(403);
  }
});

test('without a session a form leads to the sign-in, and files say nothing', async () => {
  const browser = open();
  const body = new URLSearchParams({ name: 'x' });
  const headers = { origin: siteUrl };
  for (const path of ['/account/keys', '/account/delete', '/sign-out']) {
    const page = await browser.open(siteUrl + path, { method: 'POST', body, headers });
    expect(page.url).toBe(`${account}?problem=signed-out`);
  }
  for (const path of ['/account/usage.csv', '/account/usage.json', '/account/data.json']) {
    expect((await browser.open(siteUrl + path)).url).toBe(`${account}?problem=signed-out`);
  }
});

test('a member downloads what is stored, and deletes it', async () => {
  const browser = open();
  await signIn(browser, 'root');
  await post(browser, '/account/keys', { name: 'Robin’s own' });
  const { member } = (await find(browser)) ?? {};
  const database = server.services.database;
  const [old] = await database.keys.list(member?.id);
  await post(browser, `/account/keys/${old?.id}`, { action: 'revoke', confirm: 'yes' });
  await post(browser, '/account/keys', { name: 'Another' });
  const file = await browser.open(`${siteUrl}/account/data.json`);
  const signIns = (await database.sessions.list(member?.id ?? '')).map(() => ({
    action: 'session.started',
  }));
  expect(file.headers.get('cache-control')).toBe('private, no-store');
  expect(JSON.parse(file.text)).toMatchObject({
    member: { name: 'Robin Osei', email: 'robin@makers.example' },
    keys: [
      { name: 'Another', revoked_at: null },
      { name: 'Robin’s own', revoked_at: expect.stringMatching(/^20/) },
    ],
    changes: [
      { action: 'key.created' },
      { action: 'key.revoked' },
      { action: 'key.created' },
      // Other tests sign in as this member, too.
      ...signIns,
    ],
    sessions: expect.arrayContaining([expect.objectContaining({ device: 'A browser' })]),
  });
  expect(file.text).not.toMatch(/hash|mq_\w{6}/);
  expect((await post(browser, '/account/delete')).url).toContain('problem=confirm');
  await post(browser, '/account/delete', { confirm: 'yes' });
  expect(toSession(browser)).toBeUndefined();
  expect(await server.services.database.members.find(member?.id ?? '')).toBeNull();
});

test('a disabled member is signed out, and told so at the next sign-in', async () => {
  const browser = open();
  await signIn(browser, 'kim');
  const { members } = server.services.database;
  const id = (await find(browser))?.member.id ?? '';
  await members.setDisabled(id, true);
  expect(await find(browser)).toBeNull();
  // The provider still knows the browser.
  expect((await browser.open(`${siteUrl}/sign-in`)).url).toBe(`${account}?problem=disabled`);
  await members.setDisabled(id, false);
});

test('signing out ends the session here, and leads to the provider’s own sign-out', async () => {
  const browser = open();
  await signIn(browser, 'ada');
  const session = toSession(browser);
  const page = await post(browser, '/sign-out');
  expect(page.url).toContain(`${identity.issuer}/session/end?`);
  const headers = new Headers({ cookie: `marquee-session=${session}` });
  expect(await server.services.members?.findSession(headers)).toBeNull();
});

test('cookies of 8 kB beside the session’s are no problem', async () => {
  const browser = open();
  await signIn(browser, 'ada');
  browser.cookies.set('localhost:4999 other', 'x'.repeat(8000));
  expect((await browser.open(`${siteUrl}/account/usage.json`)).status).toBe(200);
});

test('the proxy reads no cookies', async () => {
  const browser = open();
  await signIn(browser, 'ada');
  const page = await browser.open(`${siteUrl}/proxy/v1/key`);
  expect([401, 500]).toContain(page.status);
});

function toCookies({ cookies }: Browser, host: string): string {
  return [...cookies]
    .filter(([key]) => key.startsWith(`${host} `))
    .map(([key, value]) => `${key.split(' ')[1]}=${value}`)
    .join('; ');
}
