import { expect, type Page } from '@playwright/test';
import { addDays } from '#lib/events/model/dates.ts';
import { expectAccessible } from '../../../browser/page-measures.ts';
import { test } from '../../../browser/site-test.ts';
import { startSite, toDay } from '../../../support/servers/marquee-server.ts';
import { makeRecord } from '../../../support/upstreams/upstream.ts';

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
  await expect(counts).toHaveText('1 also running2 coming up');
  await expect(comingUp.getByRole('heading', { level: 4 })).toHaveText(['Starts soon', /late/]);
  changing.changeTable(makeTable(0));
  await runClockUntil(page, () =>
    expect(counts).toHaveText('1 on now1 also running1 coming up', { timeout: 1_000 }),
  );
  await expect(comingUp.getByRole('heading', { level: 4 })).toHaveText(['Starts late']);
  await expect(onNow.getByRole('heading', { level: 4 })).toHaveText(['Starts soon']);
});

test.describe('while the table cannot be read', () => {
  // The server restarts: what an open tab still loads, such as prefetched pages, is refused until it is back.
  test.use({ allowed: /status of 502|ERR_CONNECTION_REFUSED/ });

  test('docs and models work; other pages say so, and “Try again” reloads the same URL', async ({
    page,
    context,
    changing,
  }) => {
    await changing.breakTable();
    for (const path of ['/docs', '/docs/api', '/models']) {
      expect((await page.goto(changing.url + path))?.status(), path).toBe(200);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    const pages = [];
    for (const [path, width, colorScheme] of [
      ['/?q=soon', 320, 'light'],
      ['/events/starts-soon', 1440, 'dark'],
    ] as const) {
      const tab = await context.newPage();
      await tab.setViewportSize({ width, height: 800 });
      await tab.emulateMedia({ colorScheme });
      expect((await tab.goto(changing.url + path))?.status(), path).toBe(502);
      await expect(tab.getByRole('heading', { level: 1 })).toContainText('unavailable');
      await expectAccessible(tab);
      pages.push({ tab, path });
    }
    changing.repairTable();
    for (const { tab, path } of pages) {
      await tab.getByRole('link', { name: 'Try again' }).click();
      await expect(tab.locator('h1, .poster-name').getByText('Starts soon')).toBeVisible();
      expect(tab.url()).toBe(changing.url + path);
    }
  });

  test('an open tab still shows its list, says so, and updates it afterwards', async ({
    page,
    changing,
  }) => {
    await page.clock.install();
    await page.goto(changing.url);
    await changing.breakTable();
    const alert = page.getByRole('alert').filter({ hasText: 'Couldn’t refresh' });
    await runClockUntil(page, () => expect(alert).toBeVisible({ timeout: 1_000 }));
    await expect(page.locator('.poster-name')).toHaveText([/soon/, /late/]);
    changing.changeTable(makeTable(0));
    changing.repairTable();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(alert).toHaveCount(0);
    await expect(page.locator('.directory-counts')).toHaveText('1 on now1 also running1 coming up');
  });

  test('next start gives a 502, too, and a retry shows the page', async ({ page }) => {
    await using next = await startSite({ records: startsTomorrow }, 'next start');
    next.table.setFault({ kind: '500-html' });
    await expect.poll(async () => (await page.goto(next.url))?.status()).toBe(502);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('unavailable');
    next.table.setFault(null);
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'Coming up' })).toBeVisible();
  });
});
