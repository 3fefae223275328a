import { expect, test } from 'vitest';
import { ada, findToken, startMailSite, week } from '../../support/servers/mail-site.ts';
import { siteUrl, startMarqueeInProcess } from '../../support/servers/marquee-server.ts';
import { startSmtpSink } from '../../support/servers/smtp-sink.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Digests by mail, from the form to the inbox, through a real SMTP server. */

const tooLong = `${'a'.repeat(64)}@${`${'b'.repeat(62)}.`.repeat(4)}example`;

const jam = {
  Name: 'Lantern Jam',
  'Start Date': '2027-01-16',
  'End Date': '2027-01-17',
  Location: 'Ghent',
  Format: 'In-Person',
  'Announced At': '2026-11-24T10:00:00.000Z',
};

test('a form, a link and a button lead to a digest; one click ends it, and nothing is left', async () => {
  const { server, smtp, post, waitForMails, countRows, letPass } = await startMailSite(() => [jam]);
  const sent = await post('/subscribe/mail', { email: ada, weekday: 'wednesday', hour: '18' });
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/subscribe/mail/sent']);
  // What was typed into a form with a mistake before is forgotten.
  expect(sent.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-marquee-mail-form=; Max-Age=0;/),
  ]);
  const [confirmation] = await waitForMails(1);
  expect(confirmation?.subject).toBe('Confirm your weekly email from Marquee');
  expect(confirmation?.text).toContain('on Wednesdays at 18:00 (UTC)');
  const token = findToken(confirmation?.text ?? '', 'confirm');
  expect((await fetch(`${server.url}/subscribe/mail/confirm/${token}`)).status).toBe(200);
  expect(await countRows()).toEqual([0, 1, 0]);

  const confirmed = await post('/subscribe/mail/confirm', { token });
  expect(confirmed.status).toBe(303);
  expect(await countRows()).toEqual([1, 1, 0]);
  expect(await letPass(2 * 86_400_000)).toBe(0);
  expect(await letPass(6 * 3_600_000)).toBe(1);
  const [, digest] = await waitForMails(2);
  expect(digest?.subject).toBe('Lantern Jam');
  for (const body of [digest?.text, digest?.html]) {
    expect(body).toContain(`${siteUrl}/events/lantern-jam`);
    expect(body).toContain('16–17 Jan 2027 · In person · Ghent');
  }
  expect(digest?.html).not.toContain('<img');
  expect(digest?.headers.get('list-id')).toBe('<events.events.example>');
  expect(digest?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(await countRows()).toEqual([1, 1, 1]);
  expect(await letPass(0)).toBe(0);

  const [, link = ''] = /<(.+)>/.exec(digest?.headers.get('list-unsubscribe') ?? '') ?? [];
  const opened = await fetch(link.replace(siteUrl, server.url), { redirect: 'manual' });
  expect(opened.headers.get('location')).toContain('/subscribe/mail/settings/');
  expect(await countRows()).toEqual([1, 1, 1]);
  for (let click = 0; click < 2; click += 1) {
    const stopped = await fetch(link.replace(siteUrl, server.url), {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      redirect: 'manual',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://webmail.example',
        'sec-fetch-site': 'cross-site',
      },
    });
    expect(stopped.status).toBe(200);
    expect(stopped.headers.get('cache-control')).toBe('no-store');
  }
  expect(await countRows()).toEqual([0, 0, 0]);
  expect(await letPass(4 * week)).toBe(0);
  expect(smtp.mails).toHaveLength(2);
});

test('every default is valid, and equal requests get equal responses, mails and times', async () => {
  const { server, clock, post, waitForMails, confirm } = await startMailSite();
  const markdown = await fetch(`${server.url}/subscribe.md`);
  expect(await markdown.text()).toContain('One email a week with new events');
  await confirm();
  clock.move(2 * 86_400_000);
  const observe = async (email: string) => {
    const startedAt = performance.now();
    const response = await post('/subscribe/mail', { email });
    const slow = performance.now() - startedAt > 290;
    const headers = [...response.headers].filter(([name]) => !/^(?:date|x-request-id)$/.test(name));
    return { status: response.status, headers, slow, body: await response.text() };
  };
  const [subscribed, unknown] = [await observe(ada), await observe('eve@mail.example')];
  expect(subscribed).toEqual(unknown);
  expect(subscribed.slow).toBe(true);
  const mails = await waitForMails(3);
  const masked = mails.slice(1).map(({ text }) => text.replace(/confirm\/[\w-]+/, ''));
  expect(masked[0]).toBe(masked[1]);
  expect(server.logText()).not.toContain('mail.example');
});

test('a mailbox gets one confirmation a day, five if nobody follows them, and a client asks 20 times an hour', async () => {
  const { server, clock, post, waitForMails, waitForDeliveries } = await startMailSite();
  const asks = [ada, ada, 'ADA@mail.example', 'ada+events@mail.example'];
  for (const email of asks) expect((await post('/subscribe/mail', { email })).status).toBe(303);
  await waitForMails(1);
  for (let day = 0; day < 10; day += 1) {
    await waitForDeliveries();
    clock.move(86_400_000);
    expect((await post('/subscribe/mail', { email: ada })).status).toBe(303);
  }
  await waitForMails(5);
  const statuses: number[] = [];
  for (let ask = 0; ask < 21; ask += 1) {
    const response = await post('/subscribe/mail', { email: `member${ask}@mail.example` });
    statuses.push(response.status);
  }
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(server.logText()).not.toContain('mail.example');
});

test.each([
  ['no address', 'email', { email: '' }],
  ['a line break', 'email', { email: 'ada@mail.example\r\nBcc: eve@mail.example' }],
  ['a look-alike', 'email', { email: '\u0430da@mail.example' }],
  ['320 characters', 'email', { email: tooLong }],
  ['an unknown day', 'weekday', { email: ada, weekday: 'someday' }],
  ['an hour that is none', 'hour', { email: ada, hour: '24' }],
  ['a zone that is none', 'timeZone', { email: ada, timeZone: 'Mars/Olympus' }],
  ['a filter that is none', 'filters', { email: ada, format: 'sideways' }],
])(
  '%s leads to the form once more, with what was typed, which no URL and no log contains',
  async (_, field, form) => {
    const { server, mail, post, smtp, countRows } = await startMailSite();
    const sent = { hour: '19', q: 'jam', ...form };
    const response = await post('/subscribe/mail', sent);
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/subscribe/mail/again',
    ]);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-marquee-mail-form=[^;]*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const shown = mail.forms.readRefused(cookie);
    expect(shown.problem?.field).toBe(field);
    expect(shown.email).toBe(form.email);
    expect(shown.settings).toMatchObject({
      hour: field === 'hour' ? 8 : 19,
      timeZone: 'UTC',
      filters: field === 'filters' ? '' : '?q=jam',
    });
    expect(server.logText()).not.toContain('mail.example');
    expect([await countRows(), smtp.mails]).toEqual([[0, 0, 0], []]);
  },
);

test('another site cannot make its visitors ask, and made-up tokens do nothing', async () => {
  const { server, post, confirm, countRows } = await startMailSite();
  const origin = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await post('/subscribe/mail', { email: ada }, origin)).status).toBe(403);
  const token = await confirm();
  const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  for (const path of ['confirm', 'settings', 'stop']) {
    expect((await post(`/subscribe/mail/${path}`, { token: forged })).status).toBe(404);
  }
  // The link of a subscription is no link of a confirmation.
  expect((await post('/subscribe/mail/confirm', { token })).status).toBe(404);
  const click = { method: 'POST', body: 'List-Unsubscribe=One-Click' };
  expect((await fetch(`${server.url}/subscribe/mail/unsubscribe/${forged}`, click)).status).toBe(
    404,
  );
  expect(await countRows()).toEqual([1, 1, 0]);
});

test('a confirmation works for two days', async () => {
  const { clock, post, waitForMails, countRows } = await startMailSite();
  await post('/subscribe/mail', { email: ada });
  const [confirmation] = await waitForMails(1);
  clock.move(2 * 86_400_000);
  const token = findToken(confirmation?.text ?? '', 'confirm');
  const response = await post('/subscribe/mail/confirm', { token });
  expect(response.headers.get('location')).toBe('/subscribe/mail/expired');
  expect(await countRows()).toEqual([0, 1, 0]);
});

test('the settings of a subscription are changed by its link, until it is stopped', async () => {
  const { post, confirm, letPass } = await startMailSite(() => [jam]);
  const token = await confirm();
  const change = async (weekday: string) => {
    const response = await post('/subscribe/mail/settings', { token, weekday, hour: '9' });
    return response.headers.get('location');
  };
  expect(await change('friday')).toBe(`/subscribe/mail/settings/${token}?done=changed`);
  // It is Monday, 12:00.
  expect(await letPass(92 * 3_600_000)).toBe(0);
  expect(await letPass(3_600_000)).toBe(1);
  await post('/subscribe/mail/stop', { token });
  expect(await change('monday')).toBe('/subscribe/mail/stopped');
});

test('who was told of an event hears at once that it is cancelled, and only once', async () => {
  const { clock, waitForMails, confirm, letPass, find, change } = await startMailSite(() => [jam]);
  await confirm();
  await letPass(week);
  await waitForMails(2);
  const event = await find('Lantern Jam');
  await change(event, { startDate: '2027-02-03', endDate: '2027-02-04' });
  const [, , moved] = await waitForMails(3);
  expect(moved?.subject).toBe('Moved: Lantern Jam');
  expect(moved?.text).toContain('Now: 3–4 Feb 2027, Ghent. Before: 16–17 Jan 2027, Ghent.');
  await change(event, { state: 'cancelled' });
  const [, , , cancelled] = await waitForMails(4);
  expect(cancelled?.subject).toBe('Cancelled: Lantern Jam');
  clock.move(60_000);
  await change(event, { state: 'scheduled' });
  await change(event, { state: 'cancelled' });
  await waitForMails(4);
});

test('an address that the relay refuses twice gets no more mails; another refusal is the relay’s fault', async () => {
  let reply = '5.7.1 Relaying denied';
  let isRefusing = false;
  const sink = await startSmtpSink({
    onRcptTo: (_, __, callback) =>
      callback(isRefusing ? Object.assign(new Error(reply), { responseCode: 550 }) : null),
  });
  const { server, confirm, countRows, letPass } = await startMailSite(() => rows, { sink });
  const rows = [1, 2, 3].map((day) => ({
    ...jam,
    Name: `Jam ${day}`,
    'Announced At': `2026-11-2${day + 3}T10:00:00.000Z`,
    'Start Date': `2027-02-0${day}`,
    'End Date': `2027-02-0${day}`,
  }));
  await confirm();
  isRefusing = true;
  await letPass(week);
  await waitFor(() => expect(server.logText()).toContain('550 5.7.1 at RCPT TO'));
  expect((await countRows())[0]).toBe(1);
  reply = '5.1.1 No such user';
  const rejections = () =>
    server.services.database.run((db) =>
      db.selectFrom('marquee_mail_subscriptions').select('rejections').execute(),
    );
  // Its retry is refused as the first, the digest before the events as the second.
  await letPass(120_000);
  await waitFor(async () => expect(await rejections()).toEqual([{ rejections: 1 }]));
  await letPass(5 * week);
  await waitFor(async () => expect(await countRows()).toEqual([0, 0, 0]));
});

test('without a mail server there is no form and no such URL', async () => {
  await using server = await startMarqueeInProcess({});
  for (const path of ['/subscribe/mail', '/subscribe/mail/confirm', '/subscribe/mail/stop']) {
    const response = await fetch(server.url + path, { method: 'POST', body: 'email=ada' });
    expect(response.status).toBe(404);
  }
  const markdown = await fetch(`${server.url}/subscribe.md`);
  expect(await markdown.text()).not.toContain('One email a week');
});
