import { expect, type Page } from '@playwright/test';
import { readMail } from '#lib/demo/mail/read-mail.ts';
import { startMembersSite } from '../support/members/members-site.ts';
import { startSmtpSink } from '../support/servers/smtp-sink.ts';
import { expectUsable } from './page-measures.ts';
import { test } from './site-test.ts';

/** Digests by mail: the form and the pages that it and the mails lead to. */

let url: string;
let smtp: Awaited<ReturnType<typeof startSmtpSink>>;
let close: () => Promise<void>;

test.beforeAll(async () => {
  smtp = await startSmtpSink();
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: 'events@marquee.example' };
  const site = await startMembersSite({ settings });
  url = site.siteUrl;
  close = site.close;
});

test.afterAll(async () => {
  await close();
  await smtp.close();
});

/** Opens the form and sends it; what the browser itself would refuse reaches the server. */
async function send(page: Page, email: string): Promise<void> {
  await page.goto(`${url}/subscribe?format=online`);
  const field = page.getByLabel('Your email address');
  await field.fill(email);
  await page.getByLabel('Day', { exact: true }).selectOption('Friday');
  await page.getByRole('button', { name: 'Send me an email to confirm' }).click();
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('after a wrong address the form is there again, with what was typed and what is wrong', async ({
    page,
  }) => {
    // An address for the browser, but none for us.
    await send(page, 'ada@localhost');
    await expect(page).toHaveURL(`${url}/subscribe/mail/again`);
    const field = page.getByLabel('Your email address');
    await expect(field).toHaveValue('ada@localhost');
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(
      'An email address looks like ada@mail.example.',
    );
    await expect(page.getByLabel('Day', { exact: true })).toHaveValue('friday');
    await expect(page.getByText('with new events in “Marquee: Online”')).toBeVisible();
    await field.fill('ada@mail.example');
    await page.getByRole('button', { name: 'Send me an email to confirm' }).click();
    await expect(page).toHaveURL(`${url}/subscribe/mail/sent`);
  });
});

test('accessible, and cuts nothing off: the form and every page that it and the mails lead to', async ({
  page,
}) => {
  await send(page, 'ada@localhost');
  await expectUsable(page);
  await send(page, 'eve@mail.example');
  await expect(page).toHaveURL(`${url}/subscribe/mail/sent`);
  await expectUsable(page);
  const received = () => smtp.mails.find(({ to }) => to.includes('eve@mail.example'));
  await expect.poll(received).toBeDefined();
  const { text } = readMail(received()?.raw ?? '');
  await page.goto(/http\S+\/subscribe\/mail\/confirm\/[\w-]+/.exec(text)?.[0] ?? '');
  await expectUsable(page);
  await page.getByRole('button', { name: 'Yes, send me these emails' }).click();
  await expect(page.getByText('Done: your address is confirmed.')).toBeVisible();
  await expectUsable(page);
  await page.getByRole('button', { name: 'Stop these emails' }).click();
  await expect(page.getByRole('heading', { name: 'No more emails' })).toBeVisible();
  for (const path of ['/subscribe/mail/expired', '/subscribe', '/changes']) {
    await page.goto(url + path);
    await expectUsable(page);
  }
});
