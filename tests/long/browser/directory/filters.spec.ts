import { expect } from '@playwright/test';
import { chip, counts } from '../../../browser/directory-parts.ts';
import { expectAccessible } from '../../../browser/page-measures.ts';
import { test } from '../../../browser/site-test.ts';

test('on a phone the row of chips fades out where it scrolls, and its last one is clear', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto(site.url);
  const row = page.getByRole('list', { name: 'Quick filters' });
  await expect(row).toHaveCSS('mask-image', /^linear-gradient/);
  const fade = await row.evaluate((list) => {
    list.scrollLeft = list.scrollWidth;
    const last = list.lastElementChild?.getBoundingClientRect().right ?? 0;
    return list.getBoundingClientRect().right - last;
  });
  expect(fade).toBeGreaterThanOrEqual(40);
});

test('the number beside a title is that of the events below it, and of the line above', async ({
  page,
  site,
}) => {
  for (const path of ['/', '/?format=online', '/?q=robot']) {
    await page.goto(site.url + path);
    const sections = page.locator('.directory .poster-section');
    for (const section of await sections.all()) {
      const count = await section.locator('.count').textContent();
      await expect(section.locator('article')).toHaveCount(Number(count));
      const kind = await section.locator('h2').getAttribute('id');
      await expect(counts(page).locator(`[data-kind="${kind}"]`)).toHaveText(
        new RegExp(`^${count} `),
      );
    }
  }
});

test('what was typed is one entry in the history; it can be cleared', async ({ page, site }) => {
  await page.goto(site.url);
  const field = page.getByLabel('Search events');
  for (const text of ['r', 'ro', 'robot']) {
    await field.fill(text);
    await expect(page).toHaveURL(`${site.url}/?q=${text}`);
  }
  await chip(page, 'In person').click();
  await expect(page).toHaveURL(`${site.url}/?format=in-person&q=robot`);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/?q=robot`);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(field).toHaveValue('');
  await page.goForward();
  await expect(field).toHaveValue('robot');
  await page.getByRole('link', { name: 'Clear the search' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(field).toHaveValue('');
});

test('a range of days is shown, takes the place of quick dates, and is cleared', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/?when=weekend&q=a`);
  await expect(chip(page, 'This weekend')).toHaveAttribute('aria-current', 'true');
  await page.getByText('Dates', { exact: true }).click();
  await page.getByLabel('From').fill('2030-01-05');
  await page.getByLabel('To', { exact: true }).fill('2030-01-07');
  await expect(page).toHaveURL(`${site.url}/?q=a&from=2030-01-05&to=2030-01-07`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show events' }).click();
  await expect(page.getByLabel('From')).toBeHidden();
  await chip(page, '5–7 Jan 2030').click();
  await expect(page).toHaveURL(`${site.url}/?q=a`);
  await page.goto(`${site.url}/?from=2030-01-05`);
  await expect(chip(page, 'From 5 Jan 2030')).toBeVisible();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
});

test('what a search is understood as stands as chips that take its words away', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/?q=robots+online+in+ghent`);
  await expect(page.locator('.poster-name')).toHaveText(['Robot Sumo, Cardboard League']);
  await expect(chip(page, '“robots”')).toHaveAttribute('href', '/?q=online+in+ghent');
  await chip(page, 'Ghent').click();
  await expect(page).toHaveURL(`${site.url}/?q=robots+online+in`);
  await expect(page.getByLabel('Search events')).toHaveValue('robots online in');
  await page.getByLabel('Search events').fill('electronics jan');
  await expect(chip(page, 'January')).toHaveAttribute('aria-current', 'true');
  await expectAccessible(page);
  await chip(page, 'January').click();
  await expect(page.getByLabel('Search events')).toHaveValue('electronics');
  await page.goto(`${site.url}/calendar?q=online+january`);
  await chip(page, 'January').click();
  await expect(page).toHaveURL(`${site.url}/calendar?q=online`);
});

test('days the wrong way round say so beside the field, and keep the list', async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  await page.getByText('Dates', { exact: true }).click();
  await page.getByLabel('To', { exact: true }).fill('2030-01-05');
  await page.getByLabel('From').fill('2030-01-07');
  await page.getByRole('button', { name: 'Show events' }).click();
  const expectWrong = async () => {
    await expect(page.getByLabel('From')).toBeFocused();
    await expect(page.getByLabel('From')).toHaveAccessibleDescription(/The first day is after/);
    await expect(page.getByLabel('To', { exact: true })).toHaveValue('2030-01-05');
    await expect(page.locator('.poster-card').first()).toBeVisible();
    await expect(page.getByText('Try again')).toHaveCount(0);
  };
  await expectWrong();
  await page.reload();
  await expectWrong();
});

test('the month view takes the filters along, and gives them back', async ({ page, site }) => {
  await page.goto(`${site.url}/?format=online`);
  await page.getByRole('link', { name: 'Month', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/calendar?format=online`);
  await page.getByRole('link', { name: 'List', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/?format=online&view=list`);
});

test('nothing found: other events are closest, by leaving something out or by spelling', async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  await chip(page, 'Online').click();
  await page.getByLabel('Search events').fill('telescope');
  await expect(page.getByText('No events match.')).toBeVisible();
  const closest = page.getByRole('region', { name: 'Closest, without “telescope”' });
  await expect(closest.locator('.poster-name').first()).toBeVisible();
  await page.goto(`${site.url}/?q=litle+langages`);
  await expect(page.locator('.poster-name')).toHaveText(['Little Languages']);
});

test('the list is in the URL, and remembered', async ({ page, site }) => {
  await page.goto(`${site.url}/?format=online`);
  await page.getByRole('link', { name: 'List', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/?format=online&view=list`);
  const picture = page.locator('.poster-picture').first();
  await expect(picture).toBeHidden();
  await page.setViewportSize({ width: 320, height: 800 });
  await expectAccessible(page);
  await page.goto(site.url);
  await expect(picture).toBeHidden();
  await expect(page).toHaveURL(`${site.url}/?view=list`);
  await page.getByRole('link', { name: 'Posters' }).click();
  await expect(picture).toBeVisible();
  await page.goto(site.url);
  await expect(picture).toBeVisible();
});

test.describe('a program that does not load', () => {
  // The browser logs each script.
  test.use({ allowed: /ERR_FAILED/ });

  test('leaves filters that load pages', async ({ page, site }) => {
    await page.route('**/_next/static/**/*.js', (route) => route.abort());
    await page.goto(site.url);
    await chip(page, 'Online').click();
    await expect(page).toHaveURL(`${site.url}/?format=online`);
    await page.getByLabel('Search events').fill('repo');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page).toHaveURL(/[?&]q=repo/);
    await expect(page).toHaveURL(/[?&]format=online/);
    await expect(page.locator('.poster-name')).toHaveText(['Tidy Repo Club']);
  });
});
