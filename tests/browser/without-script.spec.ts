import { expect } from '@playwright/test';
import { addMonths, toMonth } from '#lib/events/model/dates.ts';
import { toDay } from '../support/servers/marquee-server.ts';
import { signIn } from './account.ts';
import { findConfirmation, sendMailForm } from './mail.ts';
import { test } from './site-test.ts';

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
  await expect(page.getByRole('heading', { level: 2, name: /^Closest, without/ })).toBeVisible();
});

test('from the directory to an event, its site, its calendar file and back', async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  await page.getByRole('link', { name: 'Night Train Hackathon', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Night Train Hackathon');
  await expect(page.locator('.ticket-status')).toHaveText('Coming up');
  await expect(page.getByRole('link', { name: 'Join night-train.example' })).toHaveAttribute(
    'href',
    /^https:\/\/night-train\.example/,
  );
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

test('the forms navigate to the responses', async ({ page, site }) => {
  await page.goto(`${site.url}/docs/api`);
  const list = page.getByRole('form', { name: 'Try listEvents' });
  await list.getByLabel('upcoming').check();
  await list.getByLabel('limit').fill('1');
  await list.getByRole('button', { name: 'Send' }).click();
  await expect(page).toHaveURL(/\/api\/v1\/events\?status=upcoming&.*limit=1$/);
  await expect(page.locator('body')).toContainText('"count":1');
  await page.goBack();
  const item = page.getByRole('form', { name: 'Try getEvent', exact: true });
  await item.getByLabel('idOrSlug').fill('overnight-at-the-observatory');
  await item.getByRole('button', { name: 'Send' }).click();
  await expect(page).toHaveURL(/\/api\/v1\/events\/overnight-at-the-observatory$/);
  await expect(page.locator('body')).toContainText('Overnight at the Observatory');
});

test('months, filters and subscriptions work', async ({ page, site }) => {
  await page.goto(`${site.url}/calendar`);
  await page.locator('a[rel="next"]').click();
  await expect(page).toHaveURL(
    `${site.url}/calendar?month=${addMonths(toMonth(toDay(Date.now())), 1)}`,
  );
  await page.getByRole('link', { name: 'Subscribe to this calendar' }).click();
  await page.getByLabel('Project type').selectOption('Games');
  await page.getByRole('button', { name: 'Update links' }).click();
  await expect(page.getByLabel('RSS link', { exact: true })).toHaveValue(
    /\/rss\?projectType=Gamedev$/,
  );
  await expect(page.getByText('A downloaded file never changes.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0);
});

test('digests: after a wrong address the form is there again; the right one is confirmed, and stopped', async ({
  page,
  site,
}) => {
  // An address for the browser, but none for us.
  await sendMailForm(page, site, 'ada@localhost');
  await expect(page).toHaveURL(`${site.url}/subscribe/mail/again`);
  const field = page.getByLabel('Your email address');
  await expect(field).toHaveValue('ada@localhost');
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription('An email address looks like ada@mail.example.');
  await expect(page.getByLabel('Day', { exact: true })).toHaveValue('friday');
  await expect(page.getByText('with new events in “Marquee: Online”')).toBeVisible();
  await field.fill('ada@mail.example');
  await page.getByRole('button', { name: 'Send me an email to confirm' }).click();
  await expect(page).toHaveURL(`${site.url}/subscribe/mail/sent`);
  await page.goto(await findConfirmation(page, site, 'ada@mail.example'));
  await page.getByRole('button', { name: 'Yes, send me these emails' }).click();
  await expect(page.getByText('Done: your address is confirmed.')).toBeVisible();
  await page.getByRole('button', { name: 'Stop these emails' }).click();
  await expect(page.getByRole('heading', { name: 'No more emails' })).toBeVisible();
});

// ASVS 7.4.4
test('a member makes, renames and revokes a key, and signs out', async ({ page, site }) => {
  await signIn(page, site, 'Kim Vale');
  await expect(page.getByRole('link', { name: 'Admin', exact: true })).toBeVisible();
  await page.getByLabel('Name').fill('Kim’s laptop');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'Your new key: Kim’s laptop' })).toBeVisible();
  await page.getByRole('radio', { name: 'Codex' }).check();
  await expect(page.getByText('model_provider = "marquee"')).toBeVisible();
  // Another model needs a request, after which the key is not there any more.
  await page.getByLabel('Model', { exact: true }).selectOption({ index: 2 });
  const model = await page.getByLabel('Model', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Show' }).click();
  const shown = `${site.url}/account?client=codex&model=${encodeURIComponent(model)}#connect`;
  await expect(page).toHaveURL(shown);
  await expect(page.locator('.client-panel:visible')).toContainText(`model = "${model}"`);
  await page.locator('summary', { hasText: 'Change' }).click();
  await page.getByLabel('Name').first().fill('desk');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('heading', { name: 'desk' })).toBeVisible();
  await page.locator('summary', { hasText: 'Change' }).click();
  await page.getByLabel('Revoke desk for good').check();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Done: the key is revoked.')).toBeVisible();
  await expect(page.getByText('You have no keys yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(`${site.url}/account`);
  await expect(page.getByRole('link', { name: 'Sign in with the demo' })).toBeVisible();
});
