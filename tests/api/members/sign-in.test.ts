import { expect, test } from 'vitest';
import { demoPeople } from '#lib/demo/identity/identity-server.ts';
import { type KeyRecord, toRow } from '#lib/keys/store/key-record.ts';
import { makeKeyRecord } from '../../support/factories/key-factory.ts';
import { makeKeyOwner } from '../../support/factories/member-factory.ts';
import { forTests } from '../../support/for-tests.ts';
import { startMembersInProcess } from '../../support/members/members-in-process.ts';
import type { TestBrowser } from '../../support/members/test-browser.ts';

const people = [
  ...demoPeople,
  { subject: 'eve', name: 'Eve', email: 'eve@makers.example', isVerified: false },
  { subject: 'kim', name: 'Kim', email: 'kim@makers.example', isVerified: true },
  { subject: 'sam', name: 'Sam', email: null, isVerified: false },
];
const site = forTests(() => startMembersInProcess({}, people));
const siteUrl = 'http://localhost:4997';
const account = `${siteUrl}/account`;

test('a member signs in at the provider, and comes back with a session', async () => {
  const browser = site.open();
  const page = await site.signIn(browser, 'ada');
  expect(page.url).toBe(account);
  expect(await site.find(browser)).toMatchObject({
    member: { name: 'Ada Moreno', email: 'ada@makers.example', issuer: site.identity.issuer },
  });
  // Nothing of the attempt is left.
  expect([...browser.cookies.keys()].filter((name) => name.includes('sign-in'))).toEqual([]);
});

test.each([
  ['eve', 'not-allowed'],
  ['sam', 'not-allowed'],
  ['', 'denied'],
])('%j is turned away: %s', async (person, problem) => {
  const browser = site.open();
  expect((await site.signIn(browser, person)).url).toBe(`${account}?problem=${problem}`);
  expect(site.toSession(browser)).toBeUndefined();
});

// ASVS 2.3.1, 10.1.2
test('a callback with the state of another browser, a made-up one or none signs nobody in', async () => {
  const [a, b] = [site.open(), site.open()];
  const choice = await a.open(`${siteUrl}/sign-in`);
  const stopped = await fetch(choice.url, {
    method: 'POST',
    body: new URLSearchParams({ person: 'ada' }),
    headers: { cookie: toCookies(a, new URL(choice.url).host) },
    redirect: 'manual',
  });
  const resume = await fetch(stopped.headers.get('location') ?? '', {
    headers: {
      cookie: [
        toCookies(a, new URL(choice.url).host),
        ...stopped.headers.getSetCookie().map((c) => c.split(';')[0]),
      ].join('; '),
    },
    redirect: 'manual',
  });
  const callback = resume.headers.get('location') ?? '';
  expect(callback).toContain('/sign-in/callback?code=');
  expect((await b.open(callback)).url).toBe(`${account}?problem=stale`);
  expect(site.toSession(b)).toBeUndefined();
  const long = `?code=x&state=${'s'.repeat(5000)}`;
  for (const query of ['', '?state=', '?code=x&state=%F0%9F%98%80', long]) {
    const page = await b.open(`${siteUrl}/sign-in/callback${query}`);
    expect(page.url).toBe(`${account}?problem=stale`);
  }
  // It works once in its own browser, and never again.
  expect((await a.open(callback)).url).toBe(account);
  expect((await a.open(callback)).url).toBe(`${account}?problem=stale`);
});

test('two tabs sign in side by side', async () => {
  const browser = site.open();
  const first = await browser.open(`${siteUrl}/sign-in`);
  const second = await browser.open(`${siteUrl}/sign-in`);
  expect((await browser.submit(first, first.url, { person: 'ada' })).url).toBe(account);
  const session = site.toSession(browser);
  expect((await browser.submit(second, second.url, { person: 'ada' })).url).toBe(account);
  expect(site.toSession(browser)).not.toBe(session);
});

test('a session that the browser brought along is not taken over', async () => {
  const browser = site.open();
  browser.cookies.set('localhost:4997 marquee-session', 'x'.repeat(43));
  await site.signIn(browser, 'ada');
  expect(site.toSession(browser)).toMatch(/^[\w-]{43}$/);
  expect(site.toSession(browser)).not.toBe('x'.repeat(43));
});

// ASVS 14.2.1
test('a key is made by a form, shown to its member once, renamed, rotated and revoked', async () => {
  const browser = await site.signInAs('ada');
  const { member } = (await site.find(browser)) ?? {};
  const name = '<b>Ada’s</b> & "laptop"';
  expect((await site.post(browser, '/account/keys', { name })).url).toBe(account);
  const text = site.readCookie(browser, 'new-key') ?? '';
  expect(text).toMatch(/^mq_/);
  const keys = site.server.services.database.keys;
  const [key] = await keys.list(member?.id);
  expect(key).toMatchObject({ name, owner: { email: 'ada@makers.example' } });
  expect((await site.post(browser, '/account/keys', { name })).url).toContain('problem=key-taken');
  await site.post(browser, `/account/keys/${key?.id}`, { action: 'rename', name: 'laptop' });
  await site.post(browser, '/account/keys', { name: 'desk' });
  for (const [name, problem] of [
    ['desk', 'key-taken'],
    ['mq_desk', 'key-name'],
  ] as const) {
    const page = await site.post(browser, `/account/keys/${key?.id}`, { action: 'rename', name });
    expect(page.url).toContain(`${account}?problem=${problem}&key=${key?.id}`);
  }
  for (const action of ['rotate', 'revoke']) {
    const page = await site.post(browser, `/account/keys/${key?.id}`, { action });
    expect(page.url, 'without the tick').toBe(`${account}?problem=key-confirm`);
    const unchanged = { revokedAt: null, hash: key?.hash };
    expect(await keys.find('id', key?.id ?? '')).toMatchObject(unchanged);
  }
  const confirm = 'yes';
  await site.post(browser, `/account/keys/${key?.id}`, { action: 'rotate', confirm });
  const rotated = await keys.find('id', key?.id ?? '');
  expect(rotated).toMatchObject({ name: 'laptop' });
  expect(rotated?.hash).not.toBe(key?.hash);
  const revoked = await Promise.all(
    [1, 2].map(() => site.post(browser, `/account/keys/${key?.id}`, { action: 'revoke', confirm })),
  );
  const done = `${account}?done=key-revoked`;
  expect(revoked.map(({ url }) => url)).toEqual([done, done]);
  const rename = { action: 'rename', name: 'x' };
  const gone = await site.post(browser, `/account/keys/${key?.id}`, rename);
  expect(gone.url).toContain(`${account}?problem=key-gone&key=`);
  expect((await keys.find('id', key?.id ?? ''))?.revokedAt).not.toBeNull();
});

// ASVS 2.3.2
test('a member has at most 20 keys, and makes at most 100 within a day; a thousand old ones are no burden', async () => {
  const browser = await site.signInAs('kim');
  const { member } = (await site.find(browser)) ?? {};
  const { keys, run } = site.server.services.database;
  const owner = makeKeyOwner({ id: member?.id ?? '' });
  const insert = (count: number, overrides: Partial<KeyRecord>) => {
    const make = () => toRow(makeKeyRecord({ owner, ...overrides }));
    const rows = Array.from({ length: count }, make);
    return run((db) => db.insertInto('marquee_keys').values(rows).execute());
  };
  await insert(1000, { createdAt: 0, revokedAt: Date.now() });
  await insert(19, { createdAt: 0 });
  expect((await site.post(browser, '/account/keys', { name: 'the last' })).url).toBe(account);
  const another = await site.post(browser, '/account/keys', { name: 'one more' });
  expect(another.url).toContain(`${account}?problem=key-count`);
  expect((await browser.open(`${siteUrl}/account/data.json`)).status).toBe(200);

  for (const key of await keys.list(member?.id)) await keys.revoke(key.id);
  await insert(99, { createdAt: Date.now(), revokedAt: Date.now() });
  const tooMany = await site.post(browser, '/account/keys', { name: 'one more' });
  expect(tooMany.url).toContain(`${account}?problem=key-pace`);
});

// ASVS 7.5.2
test('a member ends a session of their own from another browser, and nobody else’s', async () => {
  const [laptop, phone] = [await site.signInAs('ada'), await site.signInAs('ada')];
  const robin = await site.signInAs('root');
  const { session } = (await site.find(phone)) ?? {};
  await site.post(robin, `/account/sessions/${session?.id}`);
  expect(await site.find(phone)).not.toBeNull();
  expect((await site.post(laptop, `/account/sessions/${session?.id}`)).url).toBe(
    `${account}?done=session-ended`,
  );
  expect(await site.find(phone)).toBeNull();
  expect(await site.find(laptop)).not.toBeNull();
});

// ASVS 8.2.2
test('a member cannot change the key of another, nor one of the operator', async () => {
  const [ada, robin] = [await site.signInAs('ada'), await site.signInAs('root')];
  await site.post(ada, '/account/keys', { name: 'Ada’s own' });
  const member = (await site.find(ada))?.member.id;
  const { keys } = site.server.services.database;
  const [key] = (await keys.list(member)).filter(({ name }) => name === 'Ada’s own');
  for (const action of ['rename', 'rotate', 'revoke']) {
    await site.post(robin, `/account/keys/${key?.id}`, { action, name: 'mine', confirm: 'yes' });
  }
  expect(await keys.find('id', key?.id ?? '')).toEqual(key);
});

test.each([
  ['no token', {}, { origin: siteUrl }],
  ['a token of another session', { token: 'x'.repeat(43) }, { origin: siteUrl }],
])('a form with %s is a 403', async (_, fields, headers) => {
  const browser = await site.signInAs('ada');
  const body = new URLSearchParams({ name: 'stolen', ...fields });
  const page = await browser.open(`${siteUrl}/account/keys`, { method: 'POST', body, headers });
  expect(page.status).toBe(403);
});

test.each<Record<string, string>>([
  { origin: 'https://evil.example' },
  { origin: 'http://sub.localhost:4997', 'sec-fetch-site': 'same-site' },
  {},
])('a form from elsewhere (%o) is a 403, even with the token', async (headers) => {
  const browser = await site.signInAs('ada');
  const token = (await site.find(browser))?.formToken ?? '';
  const body = new URLSearchParams({ token, name: 'stolen' });
  for (const path of ['/account/keys', '/account/delete', '/sign-out']) {
    const page = await browser.open(siteUrl + path, { method: 'POST', body, headers });
    expect(page.status).toBe(403);
  }
});

test('without a session a form leads to the sign-in, and files say nothing', async () => {
  const browser = site.open();
  const body = new URLSearchParams({ name: 'x' });
  const headers = { origin: siteUrl };
  for (const path of ['/account/keys', '/account/delete', '/sign-out']) {
    const page = await browser.open(siteUrl + path, { method: 'POST', body, headers });
    expect(page.url).toBe(`${account}?problem=signed-out`);
  }
  const files = ['requests.csv', 'usage.csv', 'usage.json', 'data.json'];
  for (const path of files.map((file) => `/account/${file}`)) {
    expect((await browser.open(siteUrl + path)).url).toBe(`${account}?problem=signed-out`);
  }
});

// ASVS 14.3.2
test('a member downloads what is stored, and deletes it', async () => {
  const browser = await site.signInAs('root');
  await site.post(browser, '/account/keys', { name: 'Robin’s own' });
  const { member } = (await site.find(browser)) ?? {};
  const database = site.server.services.database;
  const [old] = await database.keys.list(member?.id);
  await site.post(browser, `/account/keys/${old?.id}`, { action: 'revoke', confirm: 'yes' });
  await site.post(browser, '/account/keys', { name: 'Another' });
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
  expect((await site.post(browser, '/account/delete')).url).toContain('problem=confirm');
  await site.post(browser, '/account/delete', { confirm: 'yes' });
  expect(site.toSession(browser)).toBeUndefined();
  expect(await site.server.services.database.members.find(member?.id ?? '')).toBeNull();
});

test('a disabled member is signed out, and told so at the next sign-in', async () => {
  const browser = await site.signInAs('kim');
  const { members } = site.server.services.database;
  const id = (await site.find(browser))?.member.id ?? '';
  await members.setDisabled(id, true);
  expect(await site.find(browser)).toBeNull();
  // The provider still knows the browser.
  expect((await browser.open(`${siteUrl}/sign-in`)).url).toBe(`${account}?problem=disabled`);
  await members.setDisabled(id, false);
});

// ASVS 7.4.1
test('signing out ends the session here, and leads to the provider’s own sign-out', async () => {
  const browser = await site.signInAs('ada');
  const session = site.toSession(browser);
  const page = await site.post(browser, '/sign-out');
  expect(page.url).toContain(`${site.identity.issuer}/session/end?`);
  const headers = new Headers({ cookie: `marquee-session=${session}` });
  expect(await site.server.services.members?.findSession(headers)).toBeNull();
});

test('cookies of 8 kB beside the session’s are no problem', async () => {
  const browser = await site.signInAs('ada');
  browser.cookies.set('localhost:4997 other', 'x'.repeat(8000));
  expect((await browser.open(`${siteUrl}/account/usage.json`)).status).toBe(200);
});

test('the proxy reads no cookies', async () => {
  const browser = await site.signInAs('ada');
  const page = await browser.open(`${siteUrl}/proxy/v1/key`);
  expect([401, 500]).toContain(page.status);
});

function toCookies({ cookies }: TestBrowser, host: string): string {
  return [...cookies]
    .filter(([key]) => key.startsWith(`${host} `))
    .map(([key, value]) => `${key.split(' ')[1]}=${value}`)
    .join('; ');
}
