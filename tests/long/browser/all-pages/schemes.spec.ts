import { expect } from '@playwright/test';
import { readSystemColors } from '../../../browser/page-measures.ts';
import { test } from '../../../browser/site-test.ts';

const paper = 'rgb(242, 242, 239)';

test.describe('on a missing page', () => {
  test.use({ allowed: /status of 404/ });

  test('an invalid stored scheme is ignored', async ({ page, site }) => {
    await page.goto(`${site.url}/nothing`);
    await page.evaluate(() => localStorage.setItem('scheme', '"><script>alert(1)</script>'));
    await page.reload();
    await expect(page.locator('html')).not.toHaveAttribute('data-scheme');
    await expect(page.locator('html')).toHaveCSS('background-color', paper);
  });
});

test('in forced colours a poster uses the visitor’s colours', async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  for (const path of ['/', '/events/night-train-hackathon']) {
    await page.goto(site.url + path);
    const system = await readSystemColors(page);
    const poster = page
      .locator('.poster')
      .filter({ has: page.locator('.poster-button') })
      .first();
    await expect(poster.locator('.poster-name')).toHaveCSS('color', /^rgb/);
    const look = await poster.evaluate((element) => {
      const [name, when, body] = ['.poster-name', '.poster-when', '.poster-body'].map(
        (selector) => {
          const { color, backgroundColor } = getComputedStyle(
            element.querySelector(selector) ?? element,
          );
          return { color, backgroundColor };
        },
      );
      const border = getComputedStyle(element.querySelector('.poster-button') ?? element);
      return { name, when, body, edge: border.borderTopStyle };
    });
    expect([system.text, system.link]).toContain(look.name?.color);
    expect(look.when?.color).toBe(system.text);
    // Opaque in the system’s colour, or nothing.
    if (look.body?.backgroundColor !== system.ground) {
      expect(look.body?.backgroundColor).toMatch(/, 0\)$/);
    }
    expect(look.edge).toBe('solid');
  }
  await page.goto(site.url);
  await page.getByText('Dates', { exact: true }).click();
  await expect(page.getByLabel('Show')).toHaveCSS('appearance', 'auto');
});

test('the poster grows into its page, but not with prefers-reduced-motion', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    addEventListener('pagereveal', ({ viewTransition }) => {
      const { dataset } = document.documentElement;
      if (viewTransition === null) dataset.grew = 'false';
      // The poster’s group exists in both pages only where their names match.
      viewTransition?.ready.then(() => {
        const names = document
          .getAnimations()
          .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.pseudoElement : null));
        dataset.grew = String(
          names.some((name) => name?.startsWith('::view-transition-group(poster-')),
        );
      });
    });
  });
  for (const [reducedMotion, grew] of [
    ['no-preference', 'true'],
    ['reduce', 'false'],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    // Browsers skip a transition whose page takes too long.
    await expect(async () => {
      await page.goto(site.url);
      const poster = page.locator('.poster-card').first();
      await expect(poster).toHaveCSS(
        'transition-duration',
        reducedMotion === 'reduce' ? '0s' : /0\.\d/,
      );
      await poster.getByRole('heading').getByRole('link').click();
      await expect(page).toHaveURL(/\/events\//);
      await expect(page.locator('html')).toHaveAttribute('data-grew', grew, { timeout: 3_000 });
    }).toPass();
  }
});
