import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const options: RunOptions = {
  // Passes are not reported in full: on a long page that takes longer than the checks.
  resultTypes: ['violations'],
  // Style sheets are for rules that are off.
  preload: { assets: ['media'] },
};

/** Expects axe to find no violations on the page in its current state. */
export async function expectAccessible(page: Page): Promise<void> {
  await showAll(page);
  // A list is dimmed until the next one has loaded.
  await expect(page.locator('.directory[aria-busy="true"]')).toHaveCount(0);
  // Once for each page: its 600 kB take about as long to compile as to run.
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (runOptions) => {
    if (window.axe === undefined) throw new Error('The page has no axe.');
    // The only frame is an embed, which is checked by itself.
    const { violations } = await window.axe.run({ exclude: [['iframe']] }, runOptions);
    return violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target)]);
  }, options);
  expect(found, page.url()).toEqual([]);
}

type Look = Readonly<{ width: number; colorScheme: 'light' | 'dark' }>;

/** Each width and each scheme once: that suffices where both widths show the same parts in the same colours. */
const looks: readonly Look[] = [
  { width: 1440, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
];

/** For pages with parts that show at one width only. */
export const allLooks: readonly Look[] = [
  ...looks,
  { width: 320, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
];

/** Expects the open page to be accessible, to fit, and to have large targets, on the narrowest phone and on a desk. */
export async function expectUsable(page: Page, inLooks = looks): Promise<void> {
  for (const { width, colorScheme } of inLooks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await expectNoSidewaysScrolling(page);
    await expectLargeTargets(page);
    await expectAccessible(page);
  }
}

/** Lays out posters outside of the viewport too, which the browser would do when they come near it. */
export async function showAll(page: Page): Promise<void> {
  await page.addStyleTag({ content: '.wall-cell > article { content-visibility: visible; }' });
}

/** Expects the page to fit the width of its window. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const excess = await page.evaluate(
    () => (document.scrollingElement?.scrollWidth ?? 0) - window.innerWidth,
  );
  expect(excess, `${page.url()} at ${page.viewportSize()?.width} px`).toBeLessThanOrEqual(0);
}

/** Expects targets of at least 24 by 24 px (WCAG 2.5.8). Links within a sentence are exempt, as in WCAG. */
export async function expectLargeTargets(page: Page): Promise<void> {
  const small = await page.evaluate(() => {
    // Half of 24, less a pixel for rounding.
    const reach = 11;
    const isInSentence = (target: Element) => {
      const block = target.closest('p, li, dd, td, th, figcaption, span');
      const links = [...(block?.querySelectorAll('a') ?? [])];
      const linked = links.map((link) => link.textContent).join('').length;
      return target.matches('a') && (block?.textContent?.trim().length ?? 0) > linked + 2;
    };
    const isWithin = (target: Element, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && target.contains(hit);
    };
    const targets = document.querySelectorAll('a[href], button, input, select, textarea, summary');
    return [...targets].flatMap((target) => {
      // Marks lie where the cities are; the list beside the map has the same links (WCAG 2.2, 2.5.8: equivalent).
      if (target.matches('.map a')) return [];
      if (!target.checkVisibility() || target.matches('.skip-link') || isInSentence(target)) {
        return [];
      }
      const pressed = target.closest('label') ?? target;
      if (getComputedStyle(pressed).pointerEvents === 'none') return [];
      pressed.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const { left, top, width, height } = pressed.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const corners = [-reach, reach].flatMap((dx) => [-reach, reach].map((dy) => [dx, dy]));
      const fits = corners.every(([dx = 0, dy = 0]) => isWithin(pressed, x + dx, y + dy));
      const words = target.textContent?.trim() || target.getAttribute('name');
      return fits ? [] : [`${words}: ${Math.round(width)} × ${Math.round(height)}`];
    });
  });
  expect(small, page.url()).toEqual([]);
}

/** The visitor's colours, such as those of forced colours. */
export function readSystemColors(page: Page) {
  return page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('p'));
    const [ground = '', text = '', link = ''] = ['Canvas', 'CanvasText', 'LinkText'].map((name) => {
      probe.style.color = name;
      return getComputedStyle(probe).color;
    });
    probe.remove();
    return { ground, text, link };
  });
}

/** The spacing of WCAG 2.2, 1.4.12. */
export async function setTextSpacing(page: Page): Promise<void> {
  await page.addStyleTag({
    content: `* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
      word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`,
  });
}

/** Elements with text that does not fit into them. Fields and code scroll. */
export function findClippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hasText = ({ childNodes }: Element) =>
      [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const exempt = 'select, pre, code, .visually-hidden, .skip-link, style';
    return [...document.body.querySelectorAll('*')]
      .filter((element) => hasText(element) && element.checkVisibility())
      .filter((element) => element.closest(exempt) === null && element.clientHeight > 0)
      .filter((element) => {
        const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element;
        return scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1;
      })
      .map((element) => element.outerHTML.slice(0, 120));
  });
}
