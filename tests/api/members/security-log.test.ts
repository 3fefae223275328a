import { expect, test } from 'vitest';
import { createGroupedLog } from '#lib/telemetry/grouped-log.ts';
import { makeKeyRecord } from '../../support/factories/key-factory.ts';
import { forTests } from '../../support/for-tests.ts';
import { startMembersInProcess } from '../../support/members/members-in-process.ts';
import { readAuditLog } from '../../support/read-audit-log.ts';
import { createTestLog } from '../../support/test-log.ts';

const settings = { MEMBERS_ALLOWED: 'ada@makers.example,robin@makers.example' };
const site = forTests(() => startMembersInProcess(settings));

const list = async (action: string) => {
  const entries = await readAuditLog(site.server.services.database);
  return entries.filter((entry) => entry.action === action);
};

test('a sign-in is in the audit log, as its member’s', async () => {
  const browser = await site.signInAs('ada');
  const { member, session } = (await site.find(browser)) ?? {};
  expect(await list('session.started')).toMatchObject([
    { actor: member?.id, memberId: member?.id, target: session?.id, newValues: null },
  ]);
});

// ASVS 16.3.1
test('a failed sign-in is in the log with its reason and network, without an address or a text of the provider', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.77' };
  await fetch(`${site.server.url}/sign-in/callback?state=x`, { headers, redirect: 'manual' });
  const browser = site.open();
  await site.signIn(browser, '');
  const text = site.server.logText();
  expect(text).toMatch(/reason: 'sign_in_stale'[^}]*client: '203\.0\.113\.0\/24'/);
  expect(text).toContain("reason: 'sign_in_denied'");
  expect(text).not.toContain('203.0.113.77');
  expect(text).not.toContain('Nobody was chosen');
});

// ASVS 16.3.2
test('an admin form that is refused is in the log, with its member', async () => {
  const browser = await site.signInAs('ada');
  const { member } = (await site.find(browser)) ?? {};
  const before = site.server.logText().split('admin_refused').length;
  expect((await site.post(browser, '/admin/groups/change')).status).toBe(404);
  expect(site.server.logText().split('admin_refused').length - before).toBe(1);
  expect(site.server.logText()).toContain(`member: '${member?.id}'`);
});

// ASVS 16.3.3
test('a form of another site is in the log', async () => {
  const response = await fetch(`${site.server.url}/account/keys`, {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'x-forwarded-for': '203.0.113.78' },
    body: new URLSearchParams({ name: 'x' }),
  });
  expect(response.status).toBe(403);
  expect(site.server.logText()).toMatch(/cross_site_post'[^}]*client: '203\.0\.113\.0\/24'/);
});

// ASVS 7.4.5
test('an admin ends a member’s sessions, once', async () => {
  const admin = await site.signInAs('root');
  const [laptop, phone] = [await site.signInAs('ada'), await site.signInAs('ada')];
  const id = (await site.find(phone))?.member.id ?? '';
  const page = `/admin/members/${id}`;
  const signOut = () => site.post(admin, `${page}/change`, { action: 'sign-out' });
  expect((await signOut()).url).toBe(`${site.siteUrl}${page}?done=sign-out`);
  expect([await site.find(laptop), await site.find(phone)]).toEqual([null, null]);
  expect(await site.find(admin)).not.toBeNull();
  // There is nothing left to end, and nothing to record.
  expect((await signOut()).url).toBe(`${site.siteUrl}${page}?done=sign-out`);
  const actor = (await site.find(admin))?.member.id;
  expect(await list('member.signed_out')).toMatchObject([{ actor, memberId: id, target: id }]);
});

test('an admin cannot revoke a key of the operator', async () => {
  const { keys } = site.server.services.database;
  const key = makeKeyRecord({ owner: null });
  await keys.insert(key);
  const admin = await site.signInAs('root');
  const page = await site.post(admin, `/admin/keys/${key.id}/revoke`, { confirm: 'yes' });
  expect(page.url).toBe(`${site.siteUrl}/admin/keys?problem=operator-key`);
  expect((await keys.find('id', key.id))?.revokedAt).toBeNull();
});

test('ten thousand failures of a thousand members are a bounded number of lines', () => {
  const log = createTestLog();
  const grouped = createGroupedLog(log);
  for (let count = 0; count < 10_000; count += 1) {
    const member = `mbr_${count % 5_000}`;
    grouped.warn({ reason: 'admin_refused', member }, 'an admin page was refused');
  }
  expect(log.lines.length).toBeLessThanOrEqual(1_001);
});
