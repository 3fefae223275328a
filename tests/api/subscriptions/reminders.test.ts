import { expect, test } from 'vitest';
import { ada, findToken, startMailSite } from '../../support/servers/mail-site.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { startSmtpSink } from '../../support/servers/smtp-sink.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Reminders of saved events by mail, from the form to the inbox, through a real SMTP server. */

const hourMs = 3_600_000;
const evening = {
  Name: 'Lantern Evening',
  'Start Date': '2026-11-25',
  'End Date': '2026-11-25',
  'Start Time': '18:30',
  'End Time': '21:00',
  'Time Zone': 'UTC',
  Location: 'Ghent',
};

test('a form, a link and a button lead to reminders and moves; one click ends them, and nothing is left', async () => {
  const { server, post, waitForMails, countRows, letPass, find, change } = await startMailSite(
    () => [evening],
  );
  const event = await find('Lantern Evening');
  const sent = await post('/subscribe/mail', { email: ada, id: `${event.id},recUnknown` });
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/subscribe/mail/sent']);
  const [confirmation] = await waitForMails(1);
  expect(confirmation?.subject).toBe('Confirm your reminders from Marquee');
  const token = findToken(confirmation?.text ?? '', 'confirm');
  const confirm = () => post('/subscribe/mail/confirm', { token });
  const confirmed = await confirm();
  expect((await confirm()).headers.get('location')).toBe(confirmed.headers.get('location'));
  expect(await countRows()).toEqual([1, 1, 1]);

  // From noon on the 23rd to 18:30 on the 24th.
  expect(await letPass(30 * hourMs)).toBe(0);
  expect(await letPass(hourMs / 2)).toBe(1);
  const [, reminder] = await waitForMails(2);
  expect(reminder?.to).toBe(ada);
  expect(reminder?.subject).toBe('Tomorrow: Lantern Evening');
  expect(reminder?.text).toContain(`${siteUrl}/events/lantern-evening`);
  expect(reminder?.text).toContain(`${siteUrl}/subscribe/mail/settings/`);
  expect(reminder?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');

  await change(event, { state: 'cancelled' });
  const [, , cancelled] = await waitForMails(3);
  expect(cancelled?.subject).toBe('Cancelled: Lantern Evening');
  expect(cancelled?.text).toContain('an event of your list');

  const [, link = ''] = /<(.+)>/.exec(reminder?.headers.get('list-unsubscribe') ?? '') ?? [];
  const click = { method: 'POST', body: 'List-Unsubscribe=One-Click' };
  expect((await fetch(link.replace(siteUrl, server.url), click)).status).toBe(200);
  expect(await countRows()).toEqual([0, 0, 0]);
  expect(await letPass(23 * hourMs)).toBe(0);
});

test.each([
  ['51 events', Array.from({ length: 51 }, (_, index) => `rec${index}`).join()],
  ['no event', ''],
  ['an unknown event', 'recUnknown'],
  ['an event that is over', 'over'],
])('nobody is reminded of %s', async (_, ids) => {
  const { smtp, post, find, countRows } = await startMailSite(() => [
    { ...evening, Name: 'Past', 'Start Date': '2026-11-20', 'End Date': '2026-11-20' },
  ]);
  const id = ids === 'over' ? (await find('Past')).id : ids;
  expect((await post('/subscribe/mail', { email: ada, id })).status).toBe(400);
  expect([await countRows(), smtp.mails]).toEqual([[0, 0, 0], []]);
});

test('an address that is none leads to the form once more, with the same events', async () => {
  const { mail, post } = await startMailSite();
  const response = await post('/subscribe/mail', { email: 'ada', id: 'recA,recB' });
  expect(response.headers.get('location')).toBe('/subscribe/mail/again');
  const shown = mail.forms.readRefused(response.headers.getSetCookie()[0] ?? '');
  expect(shown).toMatchObject({ email: 'ada', eventIds: ['recA', 'recB'] });
  expect(shown.problem?.field).toBe('email');
});

test('a reminder that waits for the mail server for half an hour is not sent', async () => {
  let isBusy = false;
  const busy = Object.assign(new Error('4.3.2 Later, please'), { responseCode: 451 });
  const sink = await startSmtpSink({ onRcptTo: (_, __, done) => done(isBusy ? busy : null) });
  const site = await startMailSite(() => [evening], { sink });
  const { server, confirm, letPass, find, waitForMails } = site;
  const readAttempts = () =>
    server.services.database.run(async (db) => {
      const rows = await db.selectFrom('marquee_deliveries').select('attempts').execute();
      return rows.map(({ attempts }) => attempts);
    });
  await confirm({ id: (await find('Lantern Evening')).id });
  isBusy = true;
  expect(await letPass(30.5 * hourMs)).toBe(0);
  await waitFor(async () => expect(await readAttempts()).toEqual([1]));
  isBusy = false;
  expect(await letPass(hourMs / 2)).toBe(0);
  await waitFor(async () => expect(await readAttempts()).toEqual([]));
  await waitForMails(1);
});

test('the list of another browser takes the place of the one before, without another confirmation', async () => {
  const { post, confirm, find, letPass, waitForMails } = await startMailSite(() => [
    evening,
    { ...evening, Name: 'Other Evening' },
  ]);
  const token = await confirm({ id: (await find('Lantern Evening')).id });
  const { id } = await find('Other Evening');
  const changed = await post('/subscribe/mail/settings', { token, id });
  expect(changed.headers.get('location')).toContain('done=changed');
  expect(await letPass(30.5 * hourMs)).toBe(1);
  const [, reminder] = await waitForMails(2);
  expect(reminder?.subject).toBe('Tomorrow: Other Evening');
});
