import { expect, type Page } from '@playwright/test';
import { test, waitForHydration } from '../../../browser/site-test.ts';

test.use({ allowed: /status of 404/ });

for (const path of [
  '/?status=upcoming',
  '/events/night-train-hackathon',
  '/calendar',
  '/docs/api',
  '/models',
  '/nothing',
]) {
  test(`Tab reaches every stop, shows a focus ring, and never traps the focus: ${path}`, async ({
    page,
    site,
  }) => {
    await page.goto(site.url + path);
    await waitForHydration(page);
    const stops = await countStops(page);
    let passed = 0;
    for (;;) {
      await page.keyboard.press('Tab');
      const focus = await describeFocus(page);
      if (focus === null) break;
      expect(focus, `stop ${passed + 1} of ${stops}`).toMatchObject({
        isInView: true,
        hasRing: true,
        isTrapped: false,
      });
      if (focus.isNew) passed += 1;
    }
    expect(passed).toBe(stops);
  });
}

/** The number of Tab stops of a page: a group of radio buttons is one. */
function countStops(page: Page): Promise<number> {
  return page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex="0"]',
    );
    const stops = [...all].filter((element) => {
      if (element.matches('input[type="hidden"], :disabled')) return false;
      if (element.matches('input[type="radio"]:not(:checked)')) return false;
      return element.checkVisibility({ visibilityProperty: true });
    });
    return stops.length;
  });
}

/**
 * Describes the focused element, null past the last one: whether it is in view, has a focus ring, and is
 * focused for the first time. A date field has several stops of its own.
 */
function describeFocus(page: Page) {
  return page.evaluate(async () => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || focused === document.body) {
      return null;
    }
    const isNew = focused.dataset.wasFocused === undefined;
    focused.dataset.wasFocused = '';
    const isInView = () => {
      const { top, bottom, left, right } = focused.getBoundingClientRect();
      return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    };
    // A busy browser scrolls to it some frames later.
    for (let frames = 0; frames < 100 && !isInView(); frames += 1) {
      await new Promise(requestAnimationFrame);
    }
    const ringed = [focused, focused.closest('.poster-card')].filter((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element ?? focused);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    return {
      isNew,
      isTrapped: !isNew && !focused.matches('input[type="date"]'),
      isInView: isInView(),
      hasRing: ringed.length > 0,
      what: focused.outerHTML.slice(0, 120),
    };
  });
}
