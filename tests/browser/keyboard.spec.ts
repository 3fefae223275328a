import { expect, type Page } from '@playwright/test';
import { test, waitForHydration } from './site-test.ts';

test('from the skip link to an event and its site, without a mouse', async ({ page, site }) => {
  await page.goto(site.url);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Search events')).toBeFocused();
  await page.keyboard.type('robot');
  await expect(page).toHaveURL(`${site.url}/?q=robot`);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Clear the search' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Search' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByText('Dates', { exact: true })).toBeFocused();
  await tabTo(page, '.chip:text-is("In person")');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${site.url}/?format=in-person&q=robot`);
  await expect(page.locator('.directory-counts')).toContainText('2 events');
  const name = await page.locator('.poster-name').first().textContent();
  await tabTo(page, '.poster-name a');
  await page.keyboard.press('Tab');
  await expect(page.locator('.poster-card .poster-button').first()).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/events\//);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name ?? '');
  await waitForHydration(page);
  await tabTo(page, 'button[title="Switch to light or dark"]');
  await page.keyboard.press('Space');
  await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark');
  await tabTo(page, '.event-actions summary');
  await page.keyboard.press('Enter');
  await tabTo(page, '.event-actions a[href$=".ics"]');
  await tabTo(page, '.event-actions button');
});

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector).first();
  do await page.keyboard.press('Tab');
  while (!(await target.evaluate((element) => element === document.activeElement)));
}
