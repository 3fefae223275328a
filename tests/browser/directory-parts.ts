import type { Page } from '@playwright/test';

/** A quick filter above the list. */
export function chip(page: Page, words: string) {
  return page.getByRole('list', { name: 'Quick filters' }).getByRole('link', { name: words });
}

/** The line that says how many events match. */
export const counts = (page: Page) => page.locator('.directory-counts');

export function listNames(page: Page): Promise<string[]> {
  return page.locator('.poster-name, .event-line h3').allTextContents();
}
