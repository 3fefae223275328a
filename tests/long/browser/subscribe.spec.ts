import { expect } from '@playwright/test';
import { test } from '../../browser/site-test.ts';

test('each chip of a subscription takes off what it names, and leaves the rest', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/subscribe?format=in-person&q=portugal+solder`);
  const chips = page.locator('.subscribe-filters .understood-search a');
  const link = page.getByRole('textbox', { name: 'Calendar link' });
  await expect(chips).toHaveText([/Portugal/, /solder/]);
  await expect(link).toHaveValue(/calendar\.ics\?format=in-person,both&q=portugal\+solder$/);
  await chips.filter({ hasText: 'Portugal' }).click();
  await expect(page).toHaveURL(`${site.url}/subscribe?format=in-person&q=solder`);
  await expect(page.getByLabel('With these words')).toHaveValue('solder');
  await expect(page.getByLabel('Where')).toHaveValue('in-person');
  await expect(link).toHaveValue(/calendar\.ics\?format=in-person,both&q=solder$/);
  await page.getByRole('link', { name: 'All events', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/subscribe`);
  await expect(chips).toHaveCount(0);
});

test('filters without a field are check boxes, which are taken off with the rest kept', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/subscribe?city=Lisbon&format=in-person`);
  const city = page.getByRole('checkbox', { name: /^Only: .*Lisbon/ });
  await expect(city).toBeChecked();
  await city.uncheck();
  await page.getByRole('button', { name: 'Update links' }).click();
  await expect(page).toHaveURL((url) => !url.searchParams.has('city'));
  expect(new URL(page.url()).searchParams.get('format')).toBe('in-person');
});
