import { expect } from '@playwright/test';
import { test } from '../site-test.ts';

test('the directory shows its sections and links to events', async ({ page, site }) => {
  await page.goto(site.url);
  for (const title of ['On now', 'Coming up', 'Open-ended', 'Past']) {
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible();
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  const link = page.getByRole('region', { name: 'Coming up' }).locator('.poster-name a').first();
  const name = (await link.textContent()) ?? '';
  await link.click();
  await expect(page).toHaveURL(/\/events\/[a-z0-9-]+$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
});

test('an event shows its facts and its rendered Markdown', async ({ page, site }) => {
  await page.goto(`${site.url}/events/robot-sumo-cardboard-league`);
  const ticket = page.getByRole('region', { name: 'When, where and how to join' });
  await expect(ticket).toContainText('Online now, in person later');
  await expect(ticket.getByRole('heading', { level: 2 })).toHaveText([
    'Online',
    'In person',
    'Where',
    'Organizer',
    'What it takes',
  ]);
  await expect(ticket).toContainText('Market Hall No. 3, Ghent');
  await expect(ticket.getByRole('link', { name: 'Join' })).toHaveAttribute(
    'href',
    'https://cardboard-sumo.example/',
  );
  const text = page.locator('.event-text').first();
  await expect(text.locator('strong')).toHaveText('one-litre bottle of water');
  await expect(text.getByRole('link')).toHaveAttribute(
    'href',
    'https://cardboard-sumo.example/kit',
  );
  await expect(page.getByRole('heading', { name: 'What you need' })).toBeVisible();
  await expect(page.locator('ol > li')).toHaveCount(3);
});

test('the footer and the links of the directory', async ({ page, site }) => {
  await page.goto(site.url);
  await test.step('the footer says who runs the site, and where to submit an event', async () => {
    const footer = page.getByRole('contentinfo');
    await expect(footer).toContainText('Run by volunteers of the Harbour Makers.');
    for (const [name, href] of [
      ['Submit an event', 'https://forms.example/new?table=events'],
      ['Contact us', 'mailto:hello@events.example'],
      ['Subscribe', '/subscribe'],
    ] as const) {
      await expect(footer.getByRole('link', { name })).toHaveAttribute('href', href);
    }
  });
  await test.step('other representations are linked in the head and on the page', async () => {
    const alternates = page.locator('link[rel="alternate"]');
    for (const type of [
      'text/markdown',
      'application/rss+xml',
      'application/feed+json',
      'text/calendar',
    ]) {
      await expect(alternates.and(page.locator(`[type="${type}"]`))).toHaveCount(1);
    }
    const links = page.getByRole('navigation', { name: 'This list in other formats' });
    for (const name of ['Markdown', 'JSON', 'RSS', 'JSON Feed', 'iCalendar']) {
      const href = await links.getByRole('link', { name, exact: true }).getAttribute('href');
      expect((await page.request.get(`${site.url}${href}`)).status()).toBe(200);
    }
  });
});

test.describe('a missing page', () => {
  test.use({ allowed: /status of 404/ });

  test('a missing page says so, and links to the directory', async ({ page, site }) => {
    for (const path of ['/nothing-here', '/events/nobody']) {
      const response = await page.goto(site.url + path);
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.getByRole('link', { name: /all events/ }).click();
      await expect(page).toHaveURL(`${site.url}/`);
    }
  });
});
