import { expect, type Page } from '@playwright/test';
import { test } from './site-test.ts';

/** What somebody does before the page's program is there: nothing of it may be lost. */

/** Holds the program of every page back, until the returned function lets it come. */
async function holdProgram(page: Page): Promise<() => void> {
  let release: () => void = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_next/static/**/*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
}

test('a click counts while the program is taking the page over', async ({ page, site }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  // React is there, but has to wait for a part of what it takes over.
  await page.route('**/_next/static/**/*.js', async (route) => {
    const response = await route.fetch();
    if (!(await response.text()).includes('Search events')) await route.fulfill({ response });
  });
  await page.goto(site.url);
  await page.mouse.move(300, 300);
  await page.waitForFunction(() =>
    Object.keys(document).some((key) => key.startsWith('_reactListening')),
  );
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark');
});

test('words and choices of the first seconds narrow the wall once the program is there', async ({
  page,
  site,
}) => {
  const release = await holdProgram(page);
  await page.goto(site.url);
  await page.getByLabel('When').selectOption('Coming up');
  await page.getByLabel('Search events').pressSequentially('robot');
  await expect(page).toHaveURL(`${site.url}/`);
  release();
  await expect(page).toHaveURL(`${site.url}/?status=upcoming&q=robot`);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([/^Coming up/]);
  await expect(page.getByLabel('Search events')).toHaveValue('robot');
});

test('without waiting for the program, Enter searches and a card leads to its event', async ({
  page,
  site,
}) => {
  await holdProgram(page);
  await page.goto(site.url);
  await page.getByLabel('Search events').fill('telescope');
  await page.getByLabel('Search events').press('Enter');
  await expect(page).toHaveURL(/\?q=telescope&/);
  await expect(page.locator('.directory h3')).toHaveText(['Overnight at the Observatory']);
  await page.locator('.poster-card').click();
  await expect(page).toHaveURL(`${site.url}/events/overnight-at-the-observatory`);
});

test('back on the wall, what is typed before the program counts for more than the address', async ({
  page,
  site,
}) => {
  const release = await holdProgram(page);
  await page.goto(`${site.url}/?q=robot`);
  await page.locator('.directory h3 a').first().click();
  await expect(page).toHaveURL(/\/events\//);
  await page.goBack();
  await expect(page.getByLabel('Search events')).toHaveValue('robot');
  await page.getByLabel('Search events').fill('telescope');
  release();
  await expect(page).toHaveURL(`${site.url}/?q=telescope`);
  await expect(page.locator('.directory h3')).toHaveText(['Overnight at the Observatory']);
  await page.reload();
  await expect(page.getByLabel('Search events')).toHaveValue('telescope');
  await expect(page.locator('.directory h3')).toHaveText(['Overnight at the Observatory']);
});

test('a copy of the first second stays copied when the program comes', async ({
  page,
  site,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  const release = await holdProgram(page);
  await page.goto(`${site.url}/?q=robot`);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Copy the address of the JSON form' }).click();
  const said = page.locator('[data-said]');
  await expect(said).toHaveText('Copied');
  release();
  await page.clock.runFor(1_000);
  await page.getByLabel('When').selectOption('Past');
  await page.clock.runFor(500);
  await expect(page).toHaveURL(`${site.url}/?status=ended&q=robot`);
  await expect(said).toHaveText('Copied');
  await page.clock.runFor(2_000);
  await expect(said).toHaveText('');
});

test('a key, a model and words that were there before the program are sent with it', async ({
  page,
  site,
}) => {
  const release = await holdProgram(page);
  await page.goto(`${site.url}/models`, { waitUntil: 'commit' });
  await page.getByLabel('Search models').fill('harbour');
  await page.getByLabel('Your key').fill('mq_early');
  await page.getByLabel('Model', { exact: true }).fill('harbour-demo/tide-small');
  await page.getByLabel('Form of the API').selectOption('Chat Completions');
  await page.getByLabel('Say something').fill('Good morning');
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  release();
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();
  await expect(page.getByLabel('Your key')).toHaveValue('mq_early');
  await expect(page.getByRole('heading', { name: 'Language models' })).toContainText('2 of 8');
  const code = page.getByRole('region', { name: 'The same as code' }).locator('pre');
  for (const part of ['/chat/completions', 'harbour-demo/tide-small', 'Good morning']) {
    await expect(code).toContainText(part);
  }
});

test('a form of the reference that was filled in before the program answers in place with it', async ({
  page,
  site,
}) => {
  const release = await holdProgram(page);
  await page.goto(`${site.url}/docs/api`);
  const form = page.getByRole('form', { name: 'Try listEvents' });
  await form.getByLabel('limit').fill('3');
  await form.getByLabel('upcoming').check();
  release();
  await expect(form).toHaveAttribute('data-is-ready', 'true');
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByRole('status')).toContainText('/api/v1/events?status=upcoming&limit=3');
  await expect(form.locator('pre')).toContainText('"count": 3');
});
