import { expect, onTestFinished, test, vi } from 'vitest';
import { readMail } from '#lib/demo/mail/read-mail.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { postJson } from '../../support/clients/post-json.ts';
import { findBalance } from '../../support/find-balance.ts';
import { startMembersInProcess } from '../../support/members/members-in-process.ts';
import type { TestBrowser } from '../../support/members/test-browser.ts';
import { countDueDeliveries } from '../../support/servers/count-due-deliveries.ts';
import { chatPath } from '../../support/servers/in-process-proxy.ts';
import { startSmtpSink } from '../../support/servers/smtp-sink.ts';
import { startRawUpstream } from '../../support/upstreams/raw-upstream.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Members use their keys through the proxy, and hear of their budgets by mail. */

const dayMs = 86_400_000;
/** Of `Lisbon?`. */
const promptTokens = 3;
const today = () => toUtcDay(Date.now());

/** Two members, Ada and the admin Robin, and a model whose replies use as many tokens as they are asked for. */
async function startSite() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T12:00:00Z') });
  const smtp = await startSmtpSink();
  const upstream = await startRawUpstream((response, { method }, body) => {
    if (method === 'GET') {
      response.writeHead(404).end();
      return;
    }
    const completion = JSON.parse(body).max_tokens;
    const usage = { prompt_tokens: promptTokens, completion_tokens: completion };
    const message = { role: 'assistant', content: 'Lisbon.' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', choices, usage }));
  });
  const site = await startMembersInProcess({
    AI_UPSTREAM_URL: upstream.url,
    AI_UPSTREAM_KEY: 'sk-of-the-models',
    MEMBER_BUDGET: '1250 tokens/day',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'events@marquee.example',
  });
  onTestFinished(async () => {
    await site.close();
    await Promise.all([smtp.close(), upstream[Symbol.asyncDispose]()]);
    vi.useRealTimers();
  });
  const { members, database, alerts } = site.server.services;
  if (members === null) throw new Error('There are no accounts.');
  /** What the server does each minute. */
  const passMinutes = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      vi.setSystemTime(Date.now() + 60_000);
      await alerts.check();
    }
  };
  return {
    ...site,
    passMinutes,
    async createKey(browser: TestBrowser, fields: Readonly<Record<string, string>>) {
      await site.post(browser, '/account/keys', fields);
      const cookie = [...browser.cookies].map(([name, value]) => `${name.split(' ')[1]}=${value}`);
      const text = members.newKey.read(cookie.join('; ')) ?? '';
      const record = (await database.keys.list()).find(({ name }) => name === fields.name);
      return { text, id: record?.id ?? '' };
    },
    /** Sends a request through the proxy, and waits until its usage is stored. */
    async spend(key: Readonly<{ text: string; id: string }>, tokens: number) {
      const readTokens = async () => (await findBalance(database, `key:${key.id}`, today())).tokens;
      const before = await readTokens();
      const response = await postJson(site.server.url + chatPath, key.text, {
        model: 'any-model',
        max_tokens: tokens - promptTokens,
        messages: [{ role: 'user', content: 'Lisbon?' }],
      });
      await response.text();
      if (!response.ok) return response.status;
      await waitFor(async () => expect(await readTokens()).toBe(before + tokens));
      return response.status;
    },
    /** Expects these mails after some minutes, all to one member. */
    async expectMails(to: string, subjects: readonly string[]) {
      await passMinutes(3);
      await waitFor(() => expect(smtp.mails.length).toBeGreaterThanOrEqual(subjects.length));
      // One too many would be due, too.
      await waitFor(async () => expect(await countDueDeliveries(database, Date.now())).toBe(0));
      const mails = smtp.mails.map((mail) => ({ to: mail.to, ...readMail(mail.raw) }));
      expect(mails.map(({ subject }) => subject.replace('Marquee: ', ''))).toEqual(subjects);
      expect(new Set(mails.flatMap((mail) => mail.to))).toEqual(new Set([to]));
      return mails;
    },
  };
}

test('a member hears once a day of 80 and of 100 % of a budget, of a key that an admin revokes, and nobody else does', async () => {
  const site = await startSite();
  const [ada, robin] = [await site.signInAs('ada'), await site.signInAs('root')];
  await site.post(ada, '/account/alerts', { alerts: 'yes' });
  const laptop = await site.createKey(ada, { name: 'laptop', budget: '1000 tokens/day' });
  const desk = await site.createKey(ada, { name: 'desk' });
  const silent = await site.createKey(robin, { name: 'silent', budget: '100 tokens/day' });
  const to = 'ada@makers.example';

  expect(await site.spend(silent, 100)).toBe(200);
  expect(await site.spend(laptop, 790)).toBe(200);
  await site.passMinutes(2);
  expect(await site.spend(laptop, 60)).toBe(200);
  const subjects = ['The budget of key “laptop” is 80% used'];
  const [mail] = await site.expectMails(to, subjects);
  expect(mail?.text).toContain('150 of 1,000 tokens are left today.');
  expect(mail?.text).toContain('The budget starts again on 2026-11-24 at 0:00 (UTC)');
  expect(mail?.text).toContain(`${site.siteUrl}/account`);

  expect(await site.spend(laptop, 150)).toBe(200);
  subjects.push('Your budget is 80% used', 'The budget of key “laptop” is used up');
  await site.expectMails(to, subjects);
  expect(await site.spend(laptop, 60)).toBe(402);
  expect(await site.spend(desk, 250)).toBe(200);
  subjects.push('Your budget is used up');
  await site.expectMails(to, subjects);

  const path = `/admin/keys/${desk.id}/revoke`;
  await site.post(robin, path, { page: '/admin/keys', confirm: 'yes' });
  subjects.push('Your key “desk” was revoked');
  await site.expectMails(to, subjects);

  // Another day: what was told yesterday counts no more, and there is nothing to tell until something is used.
  vi.setSystemTime(Date.now() + dayMs);
  await site.expectMails(to, subjects);
  expect(await site.spend(laptop, 800)).toBe(200);
  subjects.push('The budget of key “laptop” is 80% used');
  await site.expectMails(to, subjects);

  // Who stops the mails gets none.
  const stopped = await site.post(await site.signInAs('ada'), '/account/alerts');
  expect(stopped.url).toBe(`${site.siteUrl}/account?done=alerts-chosen`);
  expect(await site.spend(laptop, 200)).toBe(200);
  await site.expectMails(to, subjects);
});
