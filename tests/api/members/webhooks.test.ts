import { expect, test } from 'vitest';
import { forTests } from '../../support/for-tests.ts';
import { startMembersInProcess } from '../../support/members/members-in-process.ts';
import type { TestBrowser } from '../../support/members/test-browser.ts';
import { readAuditLog } from '../../support/read-audit-log.ts';
import { waitFor } from '../../support/wait-for.ts';
import { isVerified, startWebhookReceiver } from '../../support/webhook-receiver.ts';

/** The forms of the webhooks' pages, over HTTP. */

const receiver = forTests(() => startWebhookReceiver());
const site = forTests(() => startMembersInProcess({ WEBHOOK_HOSTS: receiver.host }));

const webhooks = () => site.server.services.webhooks;

/** The query of the page that a form leads to. */
async function send(browser: TestBrowser, path: string, fields: Readonly<Record<string, string>>) {
  const { status, url } = await site.post(browser, path, fields);
  const { searchParams: query, pathname } = new URL(url);
  return { status, query, path: pathname };
}

test('an admin creates, tests, pauses, resumes, rotates and removes a webhook; the log says who', async () => {
  const admin = await site.signInAs('root');
  const created = await send(admin, '/admin/webhooks/change', {
    url: receiver.url,
    name: 'Website',
    types: 'event.added, alert.*',
    filter: '?city=ghent',
  });
  expect(created.query.get('done')).toBe('webhook-create');
  const [webhook] = await webhooks().list();
  if (webhook === undefined) throw new Error('not created');
  const { id } = webhook;
  expect(created.path).toBe(`/admin/webhooks/${id}`);
  expect(webhook).toMatchObject({
    name: 'Website',
    types: ['event.added', 'alert.*'],
    filter: 'city=ghent',
  });
  const secret = site.readCookie(admin, 'new-key') ?? '';
  expect(webhooks().hasSecret(webhook, secret)).toBe(true);

  const change = (fields: Readonly<Record<string, string>>) =>
    send(admin, `/admin/webhooks/${id}/change`, fields);
  expect((await change({ action: 'test' })).query.get('done')).toBe('webhook-test');
  await waitFor(() => expect(receiver.received).toHaveLength(1));
  expect(receiver.received[0] && isVerified(receiver.received[0], secret)).toBe(true);
  await waitFor(async () =>
    expect(await webhooks().listDeliveries(id)).toMatchObject([{ outcome: 'delivered' }]),
  );
  const delivery = receiver.received[0]?.id ?? '';
  expect((await change({ action: 'again', delivery })).query.get('done')).toBe('webhook-again');
  await waitFor(() => expect(receiver.received[1]?.id).toBe(delivery));
  expect((await change({ action: 'again', delivery: 'msg_none' })).query.get('problem')).toBe(
    'no-delivery',
  );

  await change({ action: 'pause' });
  expect(await webhooks().find(id)).toMatchObject({ state: 'paused' });
  await change({ action: 'resume' });
  expect(await webhooks().find(id)).toMatchObject({ state: 'active' });

  for (const action of ['rotate', 'remove']) {
    expect((await change({ action })).query.get('problem'), action).toBe('confirm');
  }
  expect(await webhooks().find(id)).toEqual({ ...webhook, previous: null });
  expect((await change({ action: 'rotate', confirm: 'yes' })).query.get('done')).toBe(
    'webhook-rotate',
  );
  const rotated = site.readCookie(admin, 'new-key') ?? '';
  expect(rotated).not.toBe(secret);
  const removed = await change({ action: 'remove', confirm: 'yes' });
  expect([removed.path, removed.query.get('done')]).toEqual(['/admin/webhooks', 'webhook-remove']);
  expect(await webhooks().list()).toEqual([]);
  expect((await change({ action: 'pause' })).query.get('problem')).toBe('no-webhook');

  const entries = await readAuditLog(site.server.services.database);
  const ours = entries.filter(({ target }) => target === id);
  expect(ours.map(({ action }) => action)).toEqual([
    'webhook.removed',
    'webhook.rotated',
    'webhook.resumed',
    'webhook.paused',
    'webhook.created',
  ]);
  expect(new Set(ours.map(({ actor }) => actor)).size).toBe(1);
  expect(ours[0]?.actor).not.toBeNull();
  expect(JSON.stringify(entries)).not.toContain(secret.slice(6));
  expect(site.server.logText()).not.toContain(secret.slice(6));
});

test.each([
  ['webhook-url', { url: 'https://169.254.169.254/' }],
  ['webhook-url', { url: 'http://hooks.example/' }],
  ['webhook-types', { types: 'event.moved' }],
  ['webhook-filter', { filter: 'citty=ghent' }],
  ['webhook-name', { name: 'x'.repeat(101) }],
])('%s: %o is refused, and the form has what was typed', async (problem, typed) => {
  const admin = await site.signInAs('root');
  const { query } = await send(admin, '/admin/webhooks/change', { url: receiver.url, ...typed });
  expect(query.get('problem')).toBe(problem);
  for (const [name, value] of Object.entries(typed)) {
    expect(value.startsWith(query.get(name) ?? '-')).toBe(true);
  }
  expect(await webhooks().list()).toEqual([]);
});

// ASVS 3.5.1
test('a member who is no admin cannot, and neither can another site', async () => {
  const member = await site.signInAs('ada');
  const url = receiver.url;
  expect((await send(member, '/admin/webhooks/change', { url })).status).toBe(404);
  const admin = await site.signInAs('root');
  const token = (await site.find(admin))?.formToken ?? '';
  const body = new URLSearchParams({ token, url });
  const stolen = await admin.open(`${site.siteUrl}/admin/webhooks/change`, {
    method: 'POST',
    body,
    headers: { origin: 'https://evil.example' },
  });
  expect(stolen.status).toBe(403);
  expect(await webhooks().list()).toEqual([]);
});
