import { expect, type Page } from '@playwright/test';
import { demoPeople, type Person } from '#lib/demo/identity/identity-server.ts';
import { startMembersSite } from '../../support/members/members-site.ts';
import { sharePictures } from './share-pictures.ts';

/** 300 characters with markup. */
export const oddName = `<img src=x onerror=alert(1)> ${'<b>Max</b>'.repeat(27)}!`.padEnd(300, 'x');

const toPerson = (subject: string, name: string): Person => ({
  subject,
  name,
  email: `${subject}@makers.example`,
  isVerified: true,
});

/** Each test has a person of its own, so that they share a site. */
const people: readonly Person[] = [
  ...demoPeople,
  toPerson('kim', 'Kim Vale'),
  toPerson('noa', 'Noa Brandt'),
  toPerson('lou', 'Lou Okafor'),
  toPerson('ines', 'Ines Roth'),
  toPerson('max', oddName),
  toPerson('tess', 'Tess Amadi'),
];

export type MembersSite = Readonly<{ url: string }>;

/** Starts a site with accounts, and nobody in it yet. */
export async function startPeopleSite() {
  const settings = { ...sharePictures(), OIDC_NAME: 'the demo', WEBHOOK_HOSTS: 'localhost:9' };
  const { siteUrl, close } = await startMembersSite({ people, settings });
  const site: MembersSite = { url: siteUrl };
  return { site, close };
}

export async function signIn(page: Page, { url }: MembersSite, name: string): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByRole('button', { name }).click();
  await expect(page.getByRole('button', { name: 'Sign out', exact: true }).first()).toBeVisible();
}

/** Sends a form of the account page, as the page would, and returns the URL that it leads to. */
export async function postForm(page: Page, path: string, form: Record<string, string>) {
  const { origin } = new URL(page.url());
  const token = await page.locator('input[name=token]').first().inputValue();
  const response = await page.request.post(origin + path, {
    form: { token, ...form },
    headers: { origin },
    maxRedirects: 0,
  });
  return new URL(response.headers().location ?? '', origin).href;
}
