import { expect, type Page } from '@playwright/test';
import type { SharedSite } from './sites/shared-site.ts';

export async function signIn(page: Page, { url }: SharedSite, name: string): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByRole('button', { name }).click();
  await expect(page.getByRole('button', { name: 'Sign out', exact: true }).first()).toBeVisible();
}

/** Creates a key with the form of the account page, and returns it. */
export async function createKey(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).click();
  return (await page.locator('.new-key-text code').textContent()) ?? '';
}
