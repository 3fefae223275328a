import { expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { makeKeyRecord, makeUsageRecord } from '../../support/factories/key-factory.ts';
import { makeKeyOwner, makeMember } from '../../support/factories/member-factory.ts';
import { startMailSite } from '../../support/servers/mail-site.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { storeUsage } from '../../support/store-usage.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

/** What members and admins are told by mail, through a real SMTP server. */

const settings = {
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'marquee',
  MEMBERS_ALLOWED: 'makers.example',
  ADMINS: 'robin@makers.example,away@makers.example',
};
const faulty = { Name: 'Kite Hack', 'Start Date': 'soon' };

async function startAlertsSite(more: Readonly<Record<string, string>> = {}) {
  let rows = [faulty];
  const site = await startMailSite(() => rows, { settings: { ...settings, ...more } });
  const { services } = site.server;
  return {
    ...services,
    ...site,
    setRows(after: typeof rows) {
      rows = after;
    },
    /** What the server does each minute. */
    async letPass(ms: number) {
      site.clock.move(ms);
      await services.events.current().catch(() => {});
      await services.alerts.check();
      await site.waitForDeliveries();
    },
  };
}

test('a member who chose so hears of a key once; one who did not, or is disabled, hears nothing', async () => {
  const { database, clock, letPass, waitForMails, setRows } = await startAlertsSite();
  setRows([]);
  const people = ['ada', 'eve', 'mal'];
  for (const name of people) {
    const id = `mem_${name}`;
    await database.members.save(
      makeMember({ id, subject: name, email: `${name}@makers.example`, name }),
    );
    await database.members.setAlerts(id, name !== 'eve');
    await database.keys.insert(
      makeKeyRecord({
        id: `key_${name}`,
        hash: name,
        name: 'laptop',
        owner: makeKeyOwner({ id }),
        expiresAt: clock.now() + 6 * 86_400_000,
      }),
    );
  }
  await database.members.setDisabled('mem_mal', true);
  await letPass(60_000);
  await waitForMails(1);
  for (let minute = 1; minute < 3; minute += 1) await letPass(60_000);
  const [mail] = await waitForMails(1);
  expect(mail?.to).toBe('ada@makers.example');
  expect(mail?.subject).toBe('Marquee: Your key “laptop” expires on 2026-11-29');
  expect(mail?.text).toContain(`${siteUrl}/account`);
  await database.keys.revoke('key_ada', null);
  await letPass(60_000);
  expect((await waitForMails(2))[1]?.subject).toBe('Marquee: Your key “laptop” was revoked');
});

test('admins hear once of a row that is left out, and again when it comes back', async () => {
  const { letPass, waitForMails, setRows, database } = await startAlertsSite();
  const robin = { id: 'mem_robin', subject: 'robin', email: 'robin@makers.example' };
  await database.members.save(makeMember(robin));
  await letPass(241_000);
  await waitForMails(2);
  for (let minute = 1; minute < 3; minute += 1) await letPass(241_000);
  const mails = await waitForMails(2);
  expect(mails.map(({ to }) => to).sort()).toEqual(['away@makers.example', 'robin@makers.example']);
  expect(mails[0]?.subject).toBe('Marquee: A row of the events table cannot be shown');
  setRows([]);
  await letPass(241_000);
  setRows([faulty]);
  await letPass(241_000);
  await waitForMails(4);
});

test('a fault of the relay is told once a day, when mails get through again', async () => {
  const { alerts, clock, waitForMails, setRows } = await startAlertsSite();
  setRows([]);
  const alert = {
    cause: 'mail refused',
    type: 'alert.mail_refused',
    data: { result: '550' },
  } as const;
  await alerts.raise(alert);
  await alerts.raise(alert);
  await waitForMails(2);
  clock.move(86_400_000);
  await alerts.raise(alert);
  await waitForMails(4);
});

test('a webhook is told once of each level of a budget, and no mail is sent', async () => {
  await using receiver = await startWebhookReceiver();
  const { database, webhooks, clock, letPass, setRows, smtp } = await startAlertsSite({
    WEBHOOK_HOSTS: receiver.host,
    BUDGET_ALERTS: '50, 100',
  });
  setRows([]);
  for (const [name, types] of [
    ['budgets', 'alert.budget'],
    ['events', 'event.*'],
  ] as const) {
    await webhooks.create({ url: `${receiver.url}/${name}`, name, types, filter: null });
  }
  await database.groups.create('staff', parseBudget('4 USD/month'));
  const spend = (costUsd: number) =>
    storeUsage(database, [makeUsageRecord({ groupName: 'staff', costUsd, at: clock.now() })]);
  await spend(2.5);
  for (let minute = 0; minute < 3; minute += 1) await letPass(60_000);
  await spend(9);
  for (let minute = 0; minute < 3; minute += 1) await letPass(60_000);
  await waitFor(() => expect(receiver.received).toHaveLength(2));
  expect(receiver.received.map(({ path }) => path)).toEqual(Array(2).fill('/hook/budgets'));
  const bodies = receiver.received.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ type, data }) => [type, data.name, data.level, data.used])).toEqual([
    ['alert.budget', 'staff', 50, 2.5],
    ['alert.budget', 'staff', 100, 11.5],
  ]);
  clock.moveTo('2026-12-01T00:01:00Z');
  await spend(2);
  await letPass(60_000);
  await waitFor(() => expect(receiver.received).toHaveLength(3));
  expect(smtp.mails).toEqual([]);
});
