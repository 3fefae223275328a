import { beforeAll, expect, test } from 'vitest';
import { forTests } from '../../../support/for-tests.ts';
import { startMembersInProcess } from '../../../support/members/members-in-process.ts';
import type { TestBrowser } from '../../../support/members/test-browser.ts';
import { setUpPostgres } from '../../../support/servers/postgres-server.ts';

/** What forms of members, admins and readers do with what no page of ours sends. */

const postgres = setUpPostgres();
const site = forTests(async () =>
  startMembersInProcess({
    DATABASE_URL: await postgres.createDatabase(),
    KEY_PEPPER: 'pepper-of-the-tests'.repeat(3),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'events@makers.example',
  }),
);

const confirm = 'yes';
const forms: readonly (readonly [path: string, fields: Readonly<Record<string, string>>])[] = [
  ['/account/keys', { name: 'a', budget: '1', expires: '1', models: 'a' }],
  ['/account/keys/x', { action: 'rename', name: 'b' }],
  ['/account/keys/%00', { action: 'revoke', confirm }],
  ['/account/sessions/%00', { action: 'end' }],
  ['/account/alerts', { alerts: 'yes' }],
  ['/account/delete', {}],
  ['/admin/members/x/change', { action: 'group', group: 'a' }],
  ['/admin/members/%00/change', { action: 'budget', budget: '5 USD/day' }],
  ['/admin/groups/change', { action: 'create', name: 'a', budget: '1' }],
  ['/admin/groups/change', { action: 'remove', name: 'b', confirm }],
  ['/admin/keys/%00/revoke', { confirm, back: '/admin/keys' }],
  ['/admin/upstreams/change', { action: 'drop', upstream: 'a', model: 'b', field: 'user' }],
  ['/admin/webhooks/change', { url: 'https://8.8.8.8/', name: 'x', types: '*', filter: 'q=x' }],
  ['/admin/webhooks/%00/change', { action: 'again', delivery: 'x' }],
  ['/subscribe/mail', { email: 'a@b.example', q: 'x' }],
  ['/subscribe/mail/confirm', { token: 'x' }],
  ['/subscribe/mail/settings', { token: 'x' }],
  ['/subscribe/mail/stop', { token: 'x' }],
];

let admin: TestBrowser;
beforeAll(async () => {
  admin = await site.signInAs('root');
});

test.each(forms)(
  '%s with %o takes no NUL and no megabytes, and its redirect stays short',
  async (path, fields) => {
    // What a change is, stays.
    const replaceAll = (text: string) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) =>
          ['action', 'confirm'].includes(name) ? [name, value] : [name, text],
        ),
      );
    const nul = await site.post(admin, path, { ...replaceAll('a\0b'), more: '\0' });
    expect(nul.status).toBe(400);
    const large = await site.post(admin, path, { ...fields, more: 'x'.repeat(10_000_000) });
    expect(large.status).toBe(413);
    const long = await site.post(admin, path, replaceAll('€'.repeat(1_500)));
    expect(long.status).toBeLessThan(500);
    expect(long.url.length).toBeLessThan(3_100);
    expect(site.server.logText()).not.toMatch(/"level":[56]0/);
  },
);
