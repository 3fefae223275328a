import { expect, type Page } from '@playwright/test';
import type { SharedSite } from './sites/shared-site.ts';

/** Asks for digests by the form; what the browser itself would refuse reaches the server. */
export async function sendMailForm(page: Page, { url }: SharedSite, email: string): Promise<void> {
  await page.goto(`${url}/subscribe?format=online`);
  await page.getByLabel('Your email address').fill(email);
  await page.getByLabel('Day', { exact: true }).selectOption('Friday');
  await page.getByRole('button', { name: 'Send me an email to confirm' }).click();
}

/** The URL in the mail that asks to confirm an address, once it has come. */
export async function findConfirmation(page: Page, { inboxUrl }: SharedSite, email: string) {
  let url = '';
  await expect(async () => {
    const inbox = await (await page.request.get(inboxUrl)).text();
    const mail = inbox.split('<article>').find((article) => article.includes(`To ${email},`)) ?? '';
    url = /http\S+\/subscribe\/mail\/confirm\/[\w-]+/.exec(mail)?.[0] ?? '';
    expect(url).not.toBe('');
  }).toPass();
  return url;
}
