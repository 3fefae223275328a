import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright';
import { requirePrograms } from '../programs.ts';
import { launchChromium } from '../support/clients/chromium.ts';
import { printTable } from './figures.ts';
import { phone, throttle } from './phone.ts';
import { type Checkout, checkoutOptions, listVersions, openCheckouts } from './servers/checkout.ts';
import { startSite } from './servers/site.ts';
import { warmUpPage } from './warm-up-page.ts';

/**
 * `npm run bench:touch`: visitors with a slow phone (slow 4G, a CPU six times slower) who do not wait for
 * the page's program: they type, choose a filter, save an event, open one, copy its link and go back, from 50 ms
 * after the page shows up. Each of the `--rounds` starts a little later and in another order. Counts what is
 * lost; any loss fails the run. `--root DIR` measures another built checkout, `--against DIR` a second one.
 */
const { values } = parseArgs({
  options: { ...checkoutOptions, rounds: { type: 'string', default: '50' } },
});

const word = 'robot';
const firstDelayMs = 50;
/** The last round starts when the program runs for certain. */
const lastDelayMs = 4_000;
const settleMs = 15_000;

const losses = [
  'typed',
  'filter',
  'saved',
  'copied',
  'focus',
  'after going back',
  'errors',
] as const;
type Loss = (typeof losses)[number];
type Action = 'type' | 'filter' | 'save';
const orders: readonly (readonly Action[])[] = [
  ['type', 'filter', 'save'],
  ['filter', 'save', 'type'],
  ['save', 'type', 'filter'],
  ['type', 'save', 'filter'],
];

async function main(): Promise<void> {
  requirePrograms(['chromium', 'taskset']);
  const checkouts = await openCheckouts(values);
  const rows: string[][] = [];
  for (const [version, checkout] of listVersions(checkouts)) {
    const counts = await runRounds(checkout, Number(values.rounds));
    if (version === 'current' && counts.size > 0) process.exitCode = 1;
    rows.push([version, values.rounds, ...losses.map((loss) => String(counts.get(loss) ?? 0))]);
  }
  printTable(['lost', 'rounds', ...losses], rows);
}

async function runRounds(checkout: Checkout, rounds: number): Promise<Map<Loss, number>> {
  await using site = await startSite(checkout);
  await warmUpPage(`${site.url}/`);
  await warmUpPage(`${site.url}/?q=${word}&status=upcoming`);
  const browser = await launchChromium();
  const counts = new Map<Loss, number>();
  try {
    for (let round = 0; round < rounds; round++) {
      const delayMs = firstDelayMs + ((lastDelayMs - firstDelayMs) * round) / rounds;
      const order = orders[round % orders.length] ?? [];
      const lost = await visit(browser, site.url, { delayMs, order });
      for (const loss of lost) counts.set(loss, (counts.get(loss) ?? 0) + 1);
      const words = lost.size > 0 ? `lost: ${[...lost].join(', ')}` : 'nothing lost';
      process.stderr.write(
        `${round + 1}. ${order.join(', ')} from ${Math.round(delayMs)} ms: ${words}\n`,
      );
    }
  } finally {
    await browser.close();
  }
  return counts;
}

async function visit(
  browser: Browser,
  url: string,
  { delayMs, order }: Readonly<{ delayMs: number; order: readonly Action[] }>,
): Promise<Set<Loss>> {
  const context = await browser.newContext({ ...phone, baseURL: url });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const lost = new Set<Loss>();
  try {
    const tab = await context.newPage();
    tab.setDefaultTimeout(settleMs);
    context.on('weberror', () => lost.add('errors'));
    await tab.goto('/health');
    await tab.evaluate(() => navigator.clipboard.writeText('nothing copied'));
    await throttle(await context.newCDPSession(tab), 6);
    await tab.goto('/', { waitUntil: 'commit' });
    await tab.locator('input[name=q]').waitFor();
    await tab.waitForTimeout(delayMs);
    for (const action of order) {
      const isFocusKept = await actions[action](tab);
      if (!isFocusKept) lost.add('focus');
    }
    await checkWall(tab, lost);
    // The filters may have removed the card whose button had the focus.
    if (order.at(-1) !== 'save' && !(await isFocusKept(tab))) lost.add('focus');
    if ((await tab.evaluate(countSaved)) !== 1) lost.add('saved');
    await copyAndGoBack(tab, lost);
  } finally {
    await context.close();
  }
  return lost;
}

/** Each returns whether the focus stayed where the visitor put it. */
const actions: Readonly<Record<Action, (tab: Page) => Promise<boolean>>> = {
  async type(tab) {
    const field = tab.locator('input[name=q]');
    await field.click({ force: true });
    await rememberFocus(tab);
    for (const letter of word) {
      await tab.keyboard.press(letter);
      await tab.waitForTimeout(80);
    }
    return isFocusKept(tab);
  },
  async filter(tab) {
    await tab.getByText('Dates', { exact: true }).click();
    await tab.locator('select[name=status]').focus();
    await rememberFocus(tab);
    await tab.locator('select[name=status]').selectOption('upcoming');
    return isFocusKept(tab);
  },
  async save(tab) {
    await tab.locator('.poster-save').first().click();
    return true;
  },
};

/** Marks the focused element: hydration must neither replace it nor take the focus from it. */
function rememberFocus(tab: Page): Promise<void> {
  return tab.evaluate(() => {
    window.focused = document.activeElement;
  });
}

function isFocusKept(tab: Page): Promise<boolean> {
  return tab.evaluate(() => window.focused === document.activeElement);
}

/** The URL, the fields and the list follow what was typed and chosen. */
async function checkWall(tab: Page, lost: Set<Loss>): Promise<void> {
  const expected = { q: word, status: 'upcoming' };
  const isFollowed = await waitUntil(tab, expected);
  if (isFollowed) return;
  const { q, status } = await tab.evaluate(readWall);
  if (q.field !== word || q.url !== word) lost.add('typed');
  if (status.field !== 'upcoming' || status.url !== 'upcoming') lost.add('filter');
}

async function copyAndGoBack(tab: Page, lost: Set<Loss>): Promise<void> {
  const names = await fetchNames(tab);
  if (!(await showsNames(tab, names))) lost.add('filter');
  await tab.locator('.directory .poster-name a').first().click();
  await tab.waitForURL(/\/events\//, { waitUntil: 'commit' });
  await tab.waitForTimeout(firstDelayMs);
  await tab.getByRole('button', { name: 'Share' }).click();
  const isCopied = async () => (await navigator.clipboard.readText()).includes('/events/');
  await tab.waitForFunction(isCopied).catch(() => lost.add('copied'));
  await tab.goBack({ waitUntil: 'commit' });
  const isThere = await waitUntil(tab, { q: word, status: 'upcoming' });
  if (!isThere || !(await showsNames(tab, names))) lost.add('after going back');
}

/** The names that the API finds with the same filters, sorted. */
async function fetchNames(tab: Page): Promise<readonly string[]> {
  const response = await tab.request.get(`/api/v1/events?q=${word}&status=upcoming`);
  const { data } = await response.json();
  return data.map(({ name }: Readonly<{ name: string }>) => name).toSorted();
}

function showsNames(tab: Page, expected: readonly string[]): Promise<boolean> {
  return tab
    .waitForFunction((names) => {
      const found = document.querySelectorAll('.directory .poster-name');
      return (
        [...found]
          .map(({ textContent }) => textContent)
          .sort()
          .join() === names.join()
      );
    }, expected)
    .then(
      () => true,
      () => false,
    );
}

async function waitUntil(tab: Page, expected: Readonly<Record<'q' | 'status', string>>) {
  for (const deadline = Date.now() + settleMs; Date.now() < deadline; ) {
    const wall = await tab.evaluate(readWall).catch(() => null);
    const isThere = (name: 'q' | 'status') =>
      wall?.[name].field === expected[name] && wall[name].url === expected[name];
    if (wall?.isIdle && isThere('q') && isThere('status')) return true;
    await tab.waitForTimeout(100);
  }
  return false;
}

declare global {
  interface Window {
    focused: Element | null;
  }
}

/** Runs in the page: how many events are in the visitor's list. */
function countSaved(): number {
  return JSON.parse(localStorage.getItem('saved-events') ?? '[]').length;
}

/** Runs in the page. */
function readWall() {
  const search = new URLSearchParams(location.search);
  const read = (name: string) => ({
    field: document.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '',
    url: search.get(name) ?? '',
  });
  const isIdle = document.querySelector('.directory')?.getAttribute('aria-busy') !== 'true';
  return { q: read('q'), status: read('status'), isIdle };
}

await main();
