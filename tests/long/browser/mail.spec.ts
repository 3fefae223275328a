import { expect } from '@playwright/test';
import { findConfirmation, sendMailForm } from '../../browser/mail.ts';
import { expectUsable } from '../../browser/page-measures.ts';
import { test } from '../../browser/site-test.ts';

test('accessible, and cuts nothing off: the form of digests and every page that it and the mails lead to', async ({
  page,
  site,
}) => {
  await sendMailForm(page, site, 'ada@localhost');
  await expectUsable(page);
  await sendMailForm(page, site, 'eve@mail.example');
  await expect(page).toHaveURL(`${site.url}/subscribe/mail/sent`);
  await expectUsable(page);
  await page.goto(await findConfirmation(page, site, 'eve@mail.example'));
  await expectUsable(page);
  await page.getByRole('button', { name: 'Yes, send me these emails' }).click();
  await expect(page.getByText('Done: your address is confirmed.')).toBeVisible();
  await expectUsable(page);
  await page.getByRole('button', { name: 'Stop these emails' }).click();
  await expect(page.getByRole('heading', { name: 'No more emails' })).toBeVisible();
  for (const path of ['/subscribe/mail/expired', '/subscribe', '/changes']) {
    await page.goto(site.url + path);
    await expectUsable(page);
  }
});
