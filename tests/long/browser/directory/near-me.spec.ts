import { expect } from '@playwright/test';
import { test } from '../../../browser/site-test.ts';

const ghent = { latitude: 51.0543, longitude: 3.7174 };

for (const path of ['/', '/map']) {
  test(`“Near me” on ${path} sends a tenth of a degree, after a click`, async ({
    page,
    context,
    site,
  }) => {
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation(ghent);
    await page.goto(site.url + path);
    await page.getByRole('button', { name: 'Near me' }).click();
    await expect(page).toHaveURL(`${site.url}/?near=51.1,3.7`);
    await expect(page.getByRole('heading', { name: 'Robot Sumo, Cardboard League' })).toBeVisible();
    await expect(page.getByRole('link', { name: /^Near Ghent/ })).toBeVisible();
    await page.getByRole('link', { name: '200 km', exact: true }).click();
    await expect(page).toHaveURL(`${site.url}/?near=51.1,3.7&within=200`);
    await expect(page.getByRole('link', { name: '200 km', exact: true })).toHaveAttribute(
      'aria-current',
      'true',
    );
  });
}

test('a position that is refused is said', async ({ page, site }) => {
  await page.goto(`${site.url}/map`);
  await page.getByRole('button', { name: 'Near me' }).click();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});
