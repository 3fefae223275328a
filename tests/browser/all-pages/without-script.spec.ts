import { expect } from '@playwright/test';
import { test } from '../site-test.ts';

test.use({ javaScriptEnabled: false });

test('submitting the filters opens a URL with them', async ({ page, site }) => {
  await page.goto(site.url);
  await page.getByLabel('Search events').fill('robot');
  await page.getByText('Dates', { exact: true }).click();
  await page.getByLabel('Show').selectOption('Coming up');
  await page.getByRole('button', { name: 'Show events' }).click();
  await expect(page).toHaveURL(/\/\?q=robot&from=&to=&status=upcoming$/);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([/^Coming up/]);
  await expect(page.locator('.poster-name')).toContainText(['Soapbox Derby for Robots']);
  await expect(page.getByLabel('Search events')).toHaveValue('robot');
  await page.getByRole('link', { name: 'In person' }).click();
  await expect(page).toHaveURL(`${site.url}/?status=upcoming&format=in-person&q=robot`);
  await page.getByRole('link', { name: 'List', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/?status=upcoming&format=in-person&q=robot&view=list`);
  await page.getByRole('link', { name: 'Clear the search' }).click();
  await page.getByLabel('Search events').fill('no such thing');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('No events match.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'What else is on' })).toBeVisible();
});

test('from the directory to an event, its site, its calendar file and back', async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  await page.getByRole('link', { name: 'Night Train Hackathon', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Night Train Hackathon');
  await expect(page.locator('.ticket-status')).toHaveText('Coming up');
  await expect(
    page.getByRole('link', { name: 'Join on its website night-train.example' }),
  ).toHaveAttribute('href', /^https:\/\/night-train\.example/);
  await page.getByText('Add to calendar').click();
  const file = page.getByRole('link', { name: 'Apple, Outlook and others' });
  const calendar = await file.getAttribute('href');
  const response = await page.request.get(site.url + calendar);
  expect(response.headers()['content-type']).toContain('text/calendar');
  // Buttons that need JavaScript are hidden.
  for (const name of ['Share', /^Save/, 'Theme', /^Copy/]) {
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Marquee' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'On now' })).toBeVisible();
});

test.describe('an event that does not exist', () => {
  test.use({ allowed: /status of 404/ });

  test('gives a 404 page with the nearest names', async ({ page, site }) => {
    const response = await page.goto(`${site.url}/events/nite-train`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Event not found');
    const nearest = page.getByRole('region', { name: 'Did you mean one of these?' });
    await expect(nearest.getByRole('heading', { level: 3 }).first()).toHaveText(/^Night Train/);
  });
});

test('docs and models are readable', async ({ page, site }) => {
  await page.goto(`${site.url}/docs`);
  await page.getByRole('navigation', { name: 'Documentation' }).getByText('Events API').click();
  await expect(page).toHaveURL(`${site.url}/docs/api`);
  await expect(page.getByRole('region', { name: 'List events' }).getByText("curl '")).toBeVisible();
  await page.goto(`${site.url}/models`);
  const ids = page.locator('.model-id');
  await expect(ids.getByText('lantern-demo/wick-3', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Try/ })).toHaveCount(0);
  await expect(page.getByText('The playground needs JavaScript.')).toBeVisible();
  await page.getByLabel('Search models').fill('tide');
  await page.getByLabel('Vision').check();
  await page.getByRole('button', { name: 'Show models' }).click();
  await expect(page.locator('.model-card h4')).toHaveText(['Harbour Tide Large (demo)']);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the system’s scheme is the page’s: ${colorScheme}`, async ({ page, site }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(site.url);
    const ground = { light: 'rgb(242, 242, 239)', dark: 'rgb(16, 17, 18)' }[colorScheme];
    await expect(page.locator('html')).toHaveCSS('background-color', ground);
  });
}
