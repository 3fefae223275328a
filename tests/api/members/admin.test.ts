import { describe, expect, test } from 'vitest';
import { demoPeople } from '#lib/demo/identity/identity-server.ts';
import { forTests } from '../../support/for-tests.ts';
import { startMembersSite } from '../../support/members/members-site.ts';
import type { Page, TestBrowser } from '../../support/members/test-browser.ts';
import { openTestDatabase } from '../../support/servers/each-database.ts';

/** The admin pages, over HTTP against a built server. */

/** An admin by a group of the provider, which may take it away. */
const lee = {
  subject: 'lee',
  name: 'Lee',
  email: 'lee@makers.example',
  isVerified: true,
  claims: { groups: ['admins'] },
};

const pages = [
  '',
  '/members',
  '/groups',
  '/keys',
  '/requests',
  '/usage?days=7',
  '/upstreams',
  '/events',
  '/webhooks',
  '/deliveries',
  '/log',
];
/** A name as the provider may send it, and part of it as the pages must show it. */
const hostile = {
  name: `<script>alert(1)</script>&"'${'<b>x</b> '.repeat(40)}`.slice(0, 300),
  shown: '&lt;script&gt;alert(1)&lt;/script&gt;',
};

const site = forTests(() =>
  startMembersSite({
    people: [
      ...demoPeople,
      lee,
      { subject: 'mallory', name: hostile.name, email: 'm@makers.example', isVerified: true },
    ],
    settings: {
      ADMINS: 'robin@makers.example,groups=admins',
      OIDC_SCOPES: 'openid email profile groups',
    },
  }),
);

const signIn = async (person: string) => (await site.signIn(person)).browser;
const open = (browser: TestBrowser, path: string) => browser.open(site.siteUrl + path);

/** The path that a page's link or form has. */
const findPath = (page: Page, path: RegExp) =>
  (path.exec(page.text)?.[1] ?? '').replaceAll('&amp;', '&');
const findNext = (page: Page) => findPath(page, /rel="next" href="([^"]+)"/);

/** The path of a member's page, and the page. */
async function openMember(admin: TestBrowser, name: string) {
  const list = await open(admin, `/admin/members?q=${encodeURIComponent(name)}`);
  const path = findPath(list, /href="(\/admin\/members\/[^"]+)"/);
  return { path, page: await open(admin, path) };
}

describe('access', () => {
  test('an admin sees every page, private and unlisted', async () => {
    const admin = await signIn('root');
    for (const path of pages) {
      const page = await open(admin, `/admin${path}`);
      expect(page.status, path).toBe(200);
      expect(page.text).toContain('aria-label="Admin"');
      expect(page.headers.get('cache-control')).toBe('private, no-store');
      expect(page.text).toMatch(/<meta name="robots" content="noindex"/);
    }
  });

  test('a member gets the page of any unknown URL, and so does everybody for a page that is none', async () => {
    const member = await signIn('ada');
    const unknown = await open(member, '/nothing-here');
    for (const path of pages) {
      const page = await open(member, `/admin${path}`);
      expect(page.status, path).toBe(404);
      expect(page.text).toBe(unknown.text);
      expect(page.headers.get('cache-control')).toContain('no-store');
    }
    const admin = await signIn('root');
    for (const path of ['/admin/nothing', '/admin/members/x/y', '/admin/keys/x']) {
      expect((await open(admin, path)).status).toBe(404);
    }
    expect((await open(admin, '/admin/members/mbr_nobody')).status).toBe(404);
  });

  test('public pages are the same for members and visitors, and private ones are not stored', async () => {
    const [member, visitor] = [await signIn('ada'), site.openBrowser()];
    expect((await open(member, '/')).text).toBe((await open(visitor, '/')).text);
    const account = await open(member, '/account');
    expect(account.text).toContain('ada@makers.example');
    expect(account.text).toContain('<meta name="robots" content="noindex"');
    const unknown = await open(visitor, '/account');
    expect(unknown.text).not.toContain('ada@makers.example');
    for (const { headers } of [account, unknown]) {
      expect(headers.get('cache-control')).toBe('private, no-store');
    }
  });

  test('a visitor gets the sign-in, which leads back', async () => {
    const visitor = site.openBrowser();
    const page = await open(visitor, '/admin/keys');
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.text).not.toContain('aria-label="Admin"');
    const choice = await open(visitor, findPath(page, /href="(\/sign-in\?to=[^"]+)"/));
    const back = await visitor.submit(choice, choice.url, { person: 'root' });
    expect(back.url).toBe(`${site.siteUrl}/admin/keys`);
  });

  test.each(['https://evil.example', '//evil.example', '/admin/../..//evil.example', '/account/x'])(
    'a sign-in never leads to %s',
    async (to) => {
      const { page } = await site.signIn('root', to);
      expect(page.url).toBe(`${site.siteUrl}/account`);
    },
  );

  // ASVS 8.3.1
  test('an admin who no longer is one loses pages and forms while signed in, and gets them back', async () => {
    const browser = await signIn('lee');
    const page = await open(browser, '/admin/groups');
    expect(page.status).toBe(200);
    lee.claims = { groups: [] };
    // The provider says so at the next sign-in, in whichever browser.
    await signIn('lee');
    expect((await open(browser, '/admin/groups')).status).toBe(404);
    const create = { action: 'create', name: 'x' };
    expect((await browser.submit(page, '/admin/groups/change', create)).status).toBe(404);
    expect((await open(browser, '/account')).status).toBe(200);
    lee.claims = { groups: ['admins'] };
    await signIn('lee');
    expect((await open(browser, '/admin/groups')).status).toBe(200);
  });

  test('no rule makes a browser prerender them', async () => {
    const rules = await (await fetch(`${site.server.url}/speculation-rules.json`)).json();
    expect(JSON.stringify(rules)).toContain('{"not":{"href_matches":"/admin*"}}');
  });
});

describe('changes', () => {
  test('an admin sets budget and group, disables and enables; each is in the log', async () => {
    const admin = await signIn('root');
    await signIn('mallory');
    const groups = await open(admin, '/admin/groups');
    const group = { action: 'create', name: 'Night & day', budget: '50 USD/month' };
    const created = await admin.submit(groups, '/admin/groups/change', group);
    expect(created.text).toContain('href="/admin/group?name=Night+%26+day">Night &amp; day</a>');
    const ofGroup = await open(admin, '/admin/group?name=Night+%26+day');
    expect(ofGroup.text).toContain('value="50.00 USD/month"');
    expect((await open(admin, '/admin/group?name=Night')).status).toBe(404);
    const { path, page } = await openMember(admin, 'm@makers.example');
    const change = (fields: Record<string, string>) => admin.submit(page, `${path}/change`, fields);
    const ofMember = await change({ action: 'budget', budget: '5 USD/day' });
    expect(ofMember.text).toContain('value="5.00 USD/day"');
    expect((await change({ action: 'budget', budget: 'much' })).text).toContain('role="alert"');
    await change({ action: 'group', group: 'Night & day' });
    expect((await change({ action: 'group', group: 'none' })).text).toContain('role="alert"');
    expect((await change({ action: 'disable' })).text).toContain('Tick the box first.');
    const disabled = await change({ action: 'disable', confirm: 'yes' });
    expect(disabled.text).toContain('Done: this member is disabled.');
    expect(disabled.text).toContain('<span class="badge badge-off">Disabled');
    const enabled = await change({ action: 'enable' });
    expect(enabled.text).not.toContain('<span class="badge badge-off">');
    const removal = { action: 'remove', name: 'Night & day' };
    const remove = (fields: object) =>
      admin.submit(groups, '/admin/groups/change', { ...removal, ...fields });
    const kept = await remove({});
    expect(kept.text).toContain('Tick the box first. Nothing was changed.');
    expect(kept.text).toContain('Night &amp; day');
    const removed = await remove({ confirm: 'yes' });
    expect(removed.text).toContain('Done: the group is removed.');
    expect(removed.text).not.toContain('Night &amp; day');
    const log = await open(admin, '/admin/log');
    const ofGroups = ['created the group', 'set the group of', 'removed the group'];
    for (const words of [...ofGroups, 'set the budget of', 'disabled', 'enabled']) {
      expect(log.text).toContain(words);
    }
    expect(log.text).toContain('5.00 USD/day');
  });

  test('a budget for a group that another admin has removed does not bring it back, and says so', async () => {
    const admin = await signIn('root');
    const groups = await open(admin, '/admin/groups');
    const change = (fields: Record<string, string>) =>
      admin.submit(groups, '/admin/groups/change', { name: 'Welders', ...fields });
    await change({ action: 'create', budget: '' });
    const set = await change({ action: 'budget', budget: '5 USD/day' });
    expect(set.text).toContain('value="5.00 USD/day"');
    await change({ action: 'remove', confirm: 'yes' });
    const late = await change({ action: 'budget', budget: '6 USD/day' });
    expect(late.text).toContain('This group was removed in the meantime. Nothing was changed.');
    expect(late.text).not.toContain('Welders');
  });

  test('a group’s name that is taken is refused, changes nothing, and the form has what was typed', async () => {
    const admin = await signIn('root');
    const groups = await open(admin, '/admin/groups');
    const create = (fields: Record<string, string>) =>
      admin.submit(groups, '/admin/groups/change', { action: 'create', ...fields });
    await create({ name: 'Weavers', budget: '5 USD/day' });
    const taken = await create({ name: 'Weavers', budget: '6 USD/day' });
    expect(taken.text).toContain('There is a group with that name already.');
    const list = await open(admin, '/admin/groups?q=weav');
    expect(list.text).toContain('5.00 USD/day');
    expect(list.text).not.toContain('6.00 USD/day');
    const invalid = await create({ name: 'Dyers', budget: 'much' });
    for (const [page, values] of [
      [taken, ['Weavers', '6 USD/day']],
      [invalid, ['Dyers', 'much']],
    ] as const) {
      const form = page.text.slice(page.text.indexOf('Create a group'));
      for (const value of values) expect(form).toContain(`value="${value}"`);
    }
    const removal = { action: 'remove', name: 'Weavers', confirm: 'yes' };
    await admin.submit(groups, '/admin/groups/change', removal);
  });

  test('a disabled member is signed out, and an admin cannot disable themselves', async () => {
    const [admin, member] = [await signIn('root'), await signIn('mallory')];
    const { path, page } = await openMember(admin, 'm@makers.example');
    await admin.submit(page, `${path}/change`, { action: 'disable', confirm: 'yes' });
    expect((await open(member, '/account')).text).toContain('Sign in with');
    await admin.submit(page, `${path}/change`, { action: 'enable' });
    // The second time there is no session left.
    for (const _ of [1, 2]) {
      const done = await admin.submit(page, `${path}/change`, { action: 'sign-out' });
      expect(done.text).toContain('Done: this member is signed out everywhere.');
    }
    const self = await openMember(admin, 'robin@makers.example');
    const refused = await admin.submit(self.page, `${self.path}/change`, { action: 'disable' });
    expect(refused.text).toContain('You cannot disable yourself');
    expect((await open(admin, '/admin')).status).toBe(200);
  });

  test('an admin revokes a member’s key, and what the member did is in the log as theirs', async () => {
    const [admin, member] = [await signIn('root'), await signIn('ada')];
    const account = await open(member, '/account');
    await member.submit(account, '/account/keys', { name: '<i>Ada’s laptop</i>' });
    const keys = await open(admin, '/admin/keys?q=laptop');
    expect(keys.text).toContain('&lt;i&gt;Ada’s laptop&lt;/i&gt;');
    const revoke = findPath(keys, /action="(\/admin\/keys\/[^"]+\/revoke)"/);
    expect((await admin.submit(keys, revoke)).text).toContain('Tick the box first.');
    const confirm = { confirm: 'yes' };
    const question =
      /Revoke <em>&lt;i&gt;Ada’s laptop&lt;\/i&gt;<\/em> of <!-- -->Ada Moreno<!-- -->\?/;
    expect(keys.text).toMatch(question);
    const [, back = ''] = /name="back" value="([^"]+)"/.exec(keys.text) ?? [];
    const revoked = await admin.submit(keys, revoke, { ...confirm, back });
    // Back on the page with its filters.
    const { pathname, search } = new URL(revoked.url);
    const [, , , id] = revoke.split('/');
    expect(pathname + search).toBe(`/admin/keys?q=laptop&done=revoke&key=${id}`);
    expect(revoked.text).toContain(
      'The key &lt;i&gt;Ada’s laptop&lt;/i&gt; of Ada Moreno is revoked. Programs that use it stop within 5 seconds.',
    );
    expect((await admin.submit(keys, revoke, confirm)).text).toContain('has been revoked already');
    const { path } = await openMember(admin, 'ada@makers.example');
    const person = path.split('/').at(-1);
    const log = await open(admin, `/admin/log?person=${person}&action=key.revoked`);
    expect(log.text.match(/<p class="quiet audit-time">/g)).toHaveLength(1);
    expect(log.text).toContain('revoked the key');
    const created = await open(admin, `/admin/log?person=${person}&action=key.created`);
    expect(created.text).toContain('created the key');
    expect((await open(member, '/account')).text).toContain('You have no keys yet.');
  });

  test('the first page says what is wrong, what to do, and what was looked at', async () => {
    const admin = await signIn('root');
    const database = await openTestDatabase({ dataDir: site.server.dataDir });
    const seed = { secret_salt: 'salt', pepper_id: 'none', types: '["event.*"]', filter: '' };
    const webhook = { id: 'wh_off', name: '<b>Off</b>', url: 'https://x.example/', ...seed };
    await database.run((db) =>
      db
        .insertInto('marquee_webhooks')
        .values({ ...webhook, created_at: 5, state: 'disabled' })
        .execute(),
    );
    const page = await open(admin, '/admin');
    expect(page.text).toContain('<h1>What is wrong now?</h1>');
    expect(page.text).toContain('The webhook “&lt;b&gt;Off&lt;/b&gt;” is disabled');
    expect(page.text).toContain('href="/admin/webhooks/wh_off"');
    expect(page.text).toMatch(/<dt>Budgets<\/dt><dd>OK<\/dd>/);
    expect(page.text).toMatch(/<dt>Deliveries<\/dt><dd><strong>1 problem<\/strong><\/dd>/);
    await database.run((db) =>
      db.deleteFrom('marquee_webhooks').where('id', '=', 'wh_off').execute(),
    );
    expect((await open(admin, '/admin')).text).not.toContain('is disabled, since');
  });

  test('a long list has pages, which keep its text, filters and order', async () => {
    const admin = await signIn('root');
    const database = await openTestDatabase({ dataDir: site.server.dataDir });
    await database.run(async (db) => {
      const keys = Array.from({ length: 120 }, (_, index) => ({
        id: `key_${100 + index}`,
        name: `Bot “${100 + index}”, ready`,
        hash: `hash ${index}`,
        hint: 'mq_bot',
        created_at: 5,
      }));
      await db.insertInto('marquee_keys').values(keys).execute();
    });
    const names: string[] = [];
    let path = '/admin/keys?q=bot+%E2%80%9C&owner=operator&state=active&sort=name';
    for (const count of [50, 50, 20]) {
      const page = await open(admin, path);
      expect(page.text).toContain('120 keys found for “bot “”.');
      const found = [...page.text.matchAll(/Bot “(\d+)”, ready/g)].map(([, number = '']) => number);
      names.push(...new Set(found));
      expect(new Set(found).size).toBe(count);
      expect(page.text).toMatch(/<option value="name" selected=""/);
      const file = await open(admin, findPath(page, /href="([^"]+)">Download CSV/));
      expect(file.text.split('\r\n')).toHaveLength(122);
      path = findNext(page);
    }
    expect(path).toBe('');
    expect(names).toEqual(Array.from({ length: 120 }, (_, index) => String(100 + index)));
  });

  test('requests of everybody are listed with their members, and found by member and key', async () => {
    const admin = await signIn('root');
    const { path } = await openMember(admin, 'robin@makers.example');
    const memberId = path.split('/').at(-1) ?? '';
    const database = await openTestDatabase({ dataDir: site.server.dataDir });
    const at = Date.now() - 5_000;
    const day = new Date(at).toISOString().slice(0, 10);
    const used = { tokens_in: 5, tokens_out: 7, tokens_cached: 0, tokens_cache_written: 0 };
    const flags = { is_streamed: 0, is_estimated: 0, is_counted: 1, is_final: 1 };
    const request = { at, day, model: 'demo/listed', endpoint: 'chat', duration_ms: 9, ...used };
    const requests = Array.from({ length: 52 }, (_, index) => ({
      ...request,
      ...flags,
      id: `req_${100 + index}`,
      key_id: index === 0 ? 'key_special' : 'key_other',
      member_id: index === 0 ? memberId : null,
      status: 200,
      cost_nano_usd: index,
      request_id: `x-${100 + index}`,
    }));
    await database.run((db) => db.insertInto('marquee_usage').values(requests).execute());
    const idsOf = ({ text }: Readonly<{ text: string }>) => text.match(/<code>x-\d+<\/code>/g);
    const first = await open(admin, '/admin/requests?model=demo/listed');
    expect(idsOf(first)).toHaveLength(50);
    expect(first.text).toContain('Operator');
    const second = await open(admin, findNext(first));
    expect(idsOf(second)).toHaveLength(2);
    expect(second.text).toContain(`<a href="${path}">Robin Osei</a>`);
    for (const search of [`person=${memberId}`, 'person=Robin@makers.example', 'key=key_special']) {
      const found = await open(admin, `/admin/requests?${search}&model=demo/listed`);
      expect(idsOf(found), search).toEqual(['<code>x-100</code>']);
    }
    const dearest = await open(admin, `/admin/requests?model=demo/listed&sort=cost&day=${day}`);
    expect(dearest.text).toContain('Requests, the most expensive first');
    expect(idsOf(dearest)?.slice(0, 2)).toEqual(['<code>x-151</code>', '<code>x-150</code>']);
    const cheapest = await open(admin, findNext(dearest));
    expect(idsOf(cheapest)).toEqual(['<code>x-101</code>', '<code>x-100</code>']);
    const none = await open(admin, '/admin/requests?person=nobody@x.example&session=%00');
    expect(none.text).toContain('No requests match.');
    await database.run((db) =>
      db.deleteFrom('marquee_usage').where('model', '=', 'demo/listed').execute(),
    );
  });

  test('one event is looked up: where it is on the site, or that no row has its name', async () => {
    const admin = await signIn('root');
    const found = await open(admin, '/admin/events?q=night+train');
    expect(found.text).toMatch(/On the site: <a href="\/events\/night-train-hackathon"/);
    const missing = await open(admin, '/admin/events?q=<b>nowhere');
    expect(missing.text).toContain('No row has this name or id.');
    expect(missing.text).not.toContain('<b>nowhere');
  });

  // ASVS 3.2.2
  test('a name of 300 characters with markup is text on every page', async () => {
    await signIn('mallory');
    const admin = await signIn('root');
    const { page } = await openMember(admin, 'm@makers.example');
    const list = await open(admin, '/admin/members');
    for (const { text } of [page, list]) {
      expect(text).toContain(hostile.shown);
      expect(text).not.toContain('<script>alert(1)');
      expect(text).not.toContain('<b>x</b>');
    }
  });
});

describe('forms', () => {
  const forms = [
    '/admin/members/mbr_x/change',
    '/admin/groups/change',
    '/admin/keys/key_x/revoke',
    '/admin/upstreams/change',
    '/admin/webhooks/change',
    '/admin/webhooks/wh_x/change',
  ] as const;

  // ASVS 8.2.1
  test.each(forms)('%s is a 404 for a member, and the sign-in for a visitor', async (path) => {
    const member = await signIn('ada');
    const account = await open(member, '/account');
    expect((await member.submit(account, path, { action: 'create', name: 'x' })).status).toBe(404);
    const visitor = site.openBrowser();
    const headers = { origin: site.siteUrl };
    const body = new URLSearchParams({ action: 'create', name: 'x' });
    const page = await visitor.open(site.siteUrl + path, { method: 'POST', body, headers });
    expect(page.url).toBe(`${site.siteUrl}/account?problem=signed-out`);
    expect((await open(visitor, path)).status).toBe(405);
  });

  test.each(forms)('%s is a 403 from elsewhere, and without the token', async (path) => {
    const admin = await signIn('root');
    const page = await open(admin, '/admin/groups');
    const [, token = ''] = /name="token" value="([^"]*)"/.exec(page.text) ?? [];
    const { host } = new URL(site.siteUrl);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: `http://sub.${host}`, 'sec-fetch-site': 'same-site' },
    ]) {
      const body = new URLSearchParams({ token, action: 'create', name: 'stolen' });
      const sent = await admin.open(site.siteUrl + path, { method: 'POST', body, headers });
      expect(sent.status).toBe(403);
    }
    const body = new URLSearchParams({ action: 'create', name: 'stolen' });
    const headers = { origin: site.siteUrl };
    const sent = await admin.open(site.siteUrl + path, { method: 'POST', body, headers });
    expect(sent.status).toBe(403);
    expect((await open(admin, '/admin/groups')).text).not.toContain('stolen');
  });
});

test('the upstreams show what they have taught within the hour, and why, and an admin can drop it', async () => {
  const { run } = await openTestDatabase({ dataDir: site.server.dataDir });
  const fact = {
    upstream: 'default',
    field: 'reasoning_effort',
    owner: 'a',
    taken: '[]',
    is_plain: 1,
    reason: 'it rejected a request (status 400)',
    learned_at: Date.now(),
  };
  const levels = { ...fact, model: 'm/levels', taken: '["low","high"]' };
  const facts = [
    levels,
    { ...levels, owner: 'b' },
    { ...fact, model: 'm/none' },
    { ...fact, model: 'm/own', is_plain: 0 },
    { ...fact, model: 'm/former', learned_at: Date.now() - 3_700_000 },
  ];
  await run((db) => db.insertInto('marquee_owned_facts').values(facts).execute());
  const admin = await signIn('root');
  const read = async () => {
    const page = await open(admin, '/admin/upstreams');
    return { page, shown: page.text.replaceAll(/<!-- -->|<[^>]*>/g, '') };
  };
  const { page, shown } = await read();
  expect(shown).toContain(
    'm/levels: reasoning_effort may be low, high, for all: it rejected a request (status 400), of 2 owners, learned',
  );
  expect(shown).toContain('m/none: reasoning_effort is left out, for all:');
  expect(shown).toContain(
    'm/own: reasoning_effort is left out, for those whose requests showed it:',
  );
  expect(shown).not.toContain('m/former');

  const dropped = { action: 'drop', upstream: 'default', model: 'm/none', field: fact.field };
  const done = await admin.submit(page, '/admin/upstreams/change', dropped);
  expect(done.text).toContain('it is forgotten');
  const after = (await read()).shown;
  expect(after).toContain('m/levels');
  expect(after).not.toContain('m/none');
  expect((await open(admin, '/admin/log')).text).toContain('default m/none reasoning_effort');
  const again = await admin.submit(page, '/admin/upstreams/change', dropped);
  expect(again.text).toContain('That was forgotten already.');
});

test('a page with forms says beforehand that they need a sign-in of the last 12 hours, and leads to one', async () => {
  const admin = await signIn('root');
  const { path } = await openMember(admin, 'Robin');
  const pages = ['/admin/groups', '/admin/keys', path, '/account'];
  for (const page of pages) expect((await open(admin, page)).text).not.toContain('12 hours ago');
  const { run } = await openTestDatabase({ dataDir: site.server.dataDir });
  await run((db) =>
    db
      .updateTable('marquee_sessions')
      .set((row) => ({ created_at: row('created_at', '-', 13 * 3_600_000) }))
      .execute(),
  );
  for (const page of pages) {
    const { text } = await open(admin, page);
    expect(text, page).toContain('You signed in more than 12 hours ago.');
    expect(text, page).toContain(`/sign-in?again=1&amp;to=${encodeURIComponent(page)}`);
  }
});
