import { expect, type Page } from '@playwright/test';
import { addDays } from '#lib/events/model/dates.ts';
import { type MarqueeServer, startMarquee, toDay } from '../../support/servers/marquee-server.ts';
import { makeRecord } from '../../support/upstreams/upstream.ts';
import { expectAccessible } from '../page-measures.ts';
import { test } from '../site-test.ts';

/** Pages of a table that changes or cannot be read. */

const today = toDay(Date.now());

function makeTable(startsInDays: number) {
  return [
    makeRecord({ Name: 'Runs already', ...toDays(-1) }, 1),
    makeRecord({ Name: 'Starts soon', ...toDays(startsInDays) }, 2),
    makeRecord({ Name: 'Starts late', ...toDays(30) }, 3),
  ];
}

function toDays(startsInDays: number) {
  return {
    'Start Date': addDays(today, startsInDays),
    'End Date': addDays(today, startsInDays + 7),
  };
}

const startsTomorrow = makeTable(1);

test.beforeEach(({ changing }) => changing.showEvents(startsTomorrow));

/** Advances the page's clock until the expectation is met. */
async function runClockUntil(page: Page, expectation: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(61_000);
    await expectation();
  }).toPass();
}

test('an event that starts while the tab is open moves to its new section, and the counts follow', async ({
  page,
  changing,
}) => {
  await page.clock.install();
  await page.goto(changing.url);
  const counts = page.locator('.directory-counts');
  const comingUp = page.getByRole('region', { name: 'Coming up' });
  const onNow = page.getByRole('region', { name: 'On now' });
  await expect(counts).toHaveText('1 on now2 coming up');
  await expect(comingUp.getByRole('heading', { level: 4 })).toHaveText(['Starts soon', /late/]);
  changing.changeTable(makeTable(0));
  await runClockUntil(page, () =>
    expect(counts).toHaveText('2 on now1 coming up', { timeout: 1_000 }),
  );
  await expect(comingUp.getByRole('heading', { level: 4 })).toHaveText(['Starts late']);
  await expect(onNow.getByRole('heading', { level: 3 })).toHaveText([/already/, /soon/]);
});

test.describe('while the table cannot be read', () => {
  // The server restarts: what an open tab still loads, such as prefetched pages, is refused until it is back.
  test.use({ allowed: /status of 502|ERR_CONNECTION_REFUSED/ });

  for (const path of ['/?q=soon', '/events/starts-soon']) {
    test(`a page says so, and “Try again” reloads the same URL: ${path}`, async ({
      page,
      changing,
    }) => {
      await changing.breakTable();
      expect((await page.goto(changing.url + path))?.status()).toBe(502);
      await expect(page.getByRole('heading', { level: 1 })).toContainText('unavailable');
      for (const [width, colorScheme] of [
        [320, 'light'],
        [1440, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page);
      }
      changing.repairTable();
      await page.getByRole('link', { name: 'Try again' }).click();
      await expect(
        page
          .locator('h1, .poster-name')
          .filter({ hasText: /^Starts soon/ })
          .first(),
      ).toHaveText('Starts soon');
      expect(page.url()).toBe(changing.url + path);
    });
  }

  test('an open tab still shows its list, says so, and updates it afterwards', async ({
    page,
    changing,
  }) => {
    await page.clock.install();
    await page.goto(changing.url);
    await changing.breakTable();
    const alert = page.getByRole('alert').filter({ hasText: 'Couldn’t refresh' });
    await runClockUntil(page, () => expect(alert).toBeVisible({ timeout: 1_000 }));
    await expect(page.locator('.poster-name')).toHaveText([/already/, /soon/, /late/]);
    changing.changeTable(makeTable(0));
    changing.repairTable();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(alert).toHaveCount(0);
    await expect(page.locator('.directory-counts')).toHaveText('2 on now1 coming up');
  });

  test('docs and models still work', async ({ page, changing }) => {
    await changing.breakTable();
    for (const path of ['/docs', '/docs/api', '/models']) {
      expect((await page.goto(changing.url + path))?.status(), path).toBe(200);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
  });
});

test.describe('next start', () => {
  test.use({ allowed: /status of 502/ });
  let next: MarqueeServer;

  test.beforeAll(async ({ changing }) => {
    next = await startMarquee(changing.settings, 'next start');
  });

  test.afterAll(() => next.stop());

  test('an unavailable table is a 502, and a retry shows the page', async ({ page, changing }) => {
    await changing.breakTable();
    await expect
      .poll(async () => (await page.goto(next.url))?.status(), { intervals: [250] })
      .toBe(502);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('unavailable');
    changing.repairTable();
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'Coming up' })).toBeVisible();
  });
});
