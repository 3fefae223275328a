import { expect, test } from 'vitest';
import { forTests } from '../../support/for-tests.ts';
import { startMembersSite } from '../../support/members/members-site.ts';
import { waitFor } from '../../support/wait-for.ts';
import { isVerified, startWebhookReceiver } from '../../support/webhook-receiver.ts';

/** The webhooks' pages, over HTTP against a built server. */

const receiver = forTests(() => startWebhookReceiver(() => 500));
const site = forTests(() =>
  startMembersSite({
    settings: { ADMINS: 'robin@makers.example', WEBHOOK_HOSTS: receiver.host },
  }),
);
const signIn = () => site.signIn('root', '/admin/webhooks');

test('a new webhook’s secret is shown once, and its deliveries with what came of them', async () => {
  const { browser: admin, page } = await signIn();
  const name = '<i>Our site</i>';
  const filter = 'q=<b>jam';
  const fields = { url: receiver.url, name, filter };
  const created = await admin.submit(page, '/admin/webhooks/change', fields);
  expect(created.status).toBe(201);
  expect(created.headers.get('cache-control')).toBe('private, no-store');
  const secret = /whsec_[A-Za-z0-9+/]{43}=/.exec(created.text)?.[0] ?? '';
  expect(secret).not.toBe('');
  expect(created.text).toContain('Done: the webhook is created.');

  const again = await admin.open(created.url);
  expect([again.status, again.text.includes(secret)]).toEqual([200, false]);
  expect(again.text).toContain('None yet.');
  const list = await admin.open(`${site.siteUrl}/admin/webhooks`);
  for (const { text } of [again, list]) {
    expect(text).toContain('&lt;i&gt;Our site&lt;/i&gt;');
    expect(text).not.toContain('<i>Our site');
    expect(text).not.toContain('<b>jam');
  }

  const path = new URL(created.url).pathname;
  const tested = await admin.submit(again, `${path}/change`, { action: 'test' });
  expect(tested.text).toContain('Done: a test is on its way.');
  await waitFor(() => expect(receiver.received).toHaveLength(1));
  const [message] = receiver.received;
  expect(message && isVerified(message, secret)).toBe(true);
  await waitFor(async () => {
    const { text } = await admin.open(created.url);
    expect(text).toContain('Waits for another attempt (500)');
    expect(text).toContain(message?.id);
  });
  const paused = await admin.submit(again, `${path}/change`, { action: 'pause' });
  expect(paused.text).toContain('Paused: no changes are sent to it.');
  const removed = await admin.submit(again, `${path}/change`, { action: 'remove', confirm: 'yes' });
  expect(removed.text).toContain('Done: the webhook is removed.');
  expect((await admin.open(created.url)).status).toBe(404);
  const log = await admin.open(`${site.siteUrl}/admin/log`);
  expect(log.text).toContain('removed the webhook');
});

test('a refused URL is explained, and the form has what was typed', async () => {
  const { browser: admin, page } = await signIn();
  const fields = { url: 'https://169.254.169.254/"><b>', name: 'Meta', filter: 'city=ghent' };
  const refused = await admin.submit(page, '/admin/webhooks/change', fields);
  expect(refused.text).toContain('This URL can’t be used');
  for (const value of ['Meta', 'city=ghent']) expect(refused.text).toContain(`value="${value}"`);
  expect(refused.text).not.toContain('"><b>');
});
