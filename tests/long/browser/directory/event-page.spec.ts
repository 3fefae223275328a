import { expect, type Page } from '@playwright/test';
import { addDays } from '#lib/events/model/dates.ts';
import { toFullDay } from '#lib/events/words/dates-in-words.ts';
import {
  expectNoSidewaysScrolling,
  findClippedTexts,
  setTextSpacing,
} from '../../../browser/page-measures.ts';
import { test } from '../../../browser/site-test.ts';
import { toDay } from '../../../support/servers/marquee-server.ts';
import { makeRecord } from '../../../support/upstreams/upstream.ts';

const today = toDay(Date.now());
const inDays = (days: number) => addDays(today, days);

/** One of each kind; the names are their slugs. */
const records = [
  { Name: 'ahead', 'Start Date': inDays(1), 'End Date': inDays(1) },
  {
    Name: 'hybrid',
    'Start Date': inDays(-20),
    'End Date': inDays(40),
    Format: 'Both',
    'In-Person Start': inDays(38),
    'In-Person End': inDays(40),
    Location: 'Hall 3',
    Description: 'Two *robots*, one ring. Bring yours.',
  },
  {
    Name: 'full',
    'Start Date': inDays(5),
    'End Date': inDays(5),
    'Places Left': 0,
    'Slack Channel': 'fully-booked',
  },
  { Name: 'over', 'Start Date': inDays(-5), 'End Date': inDays(-4) },
  { Name: 'cancelled', 'Start Date': inDays(5), 'End Date': inDays(6), State: 'Cancelled' },
  {
    Name: 'channel',
    'Start Date': inDays(5),
    'End Date': inDays(6),
    URL: undefined,
    'Slack Channel': 'night-train',
  },
  { Name: 'open', 'Start Date': inDays(-5) },
  {
    Name: 'moved',
    'Start Date': inDays(5),
    'End Date': inDays(6),
    State: 'Moved online',
    Format: 'In-Person',
    Location: 'Hall 3',
    'In-Person Start': inDays(5),
  },
  {
    Name: `${'Donaudampfschiff'.repeat(8)} ورشة${'الإلكترونيات'.repeat(8)} ${'夜のゲームジャム'.repeat(8)}`,
    'Start Date': inDays(5),
    Format: 'Both',
    Location: 'Straßenbahndepot'.repeat(8),
    Description: 'Zusammenarbeit'.repeat(40),
    'Slack Channel': 'channel'.repeat(20),
  },
].map((fields, index) =>
  makeRecord(
    {
      URL: 'https://own-site.example/',
      Description: 'Come along.',
      'Project Types': ['CAD'],
      ...fields,
    },
    index,
  ),
);

test.beforeEach(({ changing }) => changing.showEvents(records));

const ticketOf = (page: Page) => page.locator('.ticket');

test('when, where and the button are above the fold, beside the poster or below it', async ({
  page,
  changing,
}) => {
  await page.goto(`${changing.url}/events/ahead`);
  for (const [width, height] of [
    [375, 812],
    [768, 1024],
    [1440, 900],
    [2560, 1440],
  ] as const) {
    await page.setViewportSize({ width, height });
    const words = ticketOf(page).locator('.ticket-words');
    await expect(words).toHaveText('Tomorrow');
    const join = ticketOf(page).getByRole('link', { name: 'Join own-site.example' });
    await expect(join).toHaveAttribute('href', 'https://own-site.example/');
    for (const part of [page.locator('h1'), words, join]) {
      await expect(part, `${width} px`).toBeInViewport({ ratio: 1 });
    }
    const poster = await page.locator('.event-poster').boundingBox();
    const ticket = await ticketOf(page).boundingBox();
    if (poster === null || ticket === null) throw new Error('not shown');
    if (width < 600) expect(ticket.y).toBeGreaterThanOrEqual(poster.y + poster.height - 1);
    else expect(ticket.x).toBeGreaterThanOrEqual(poster.x + poster.width - 1);
  }
});

test('what is over, cancelled, moved or full says so, and offers nothing that is past; without a website it leads to the channel', async ({
  page,
  changing,
}) => {
  const calendars = page.locator('.calendar-menu a');
  await page.goto(`${changing.url}/events/over`);
  await expect(page.locator('.ticket-status')).toHaveText('Past');
  await expect(page.locator('.join-button')).toHaveCount(0);
  await expect(ticketOf(page).getByRole('link', { name: 'Website' })).toBeVisible();
  await expect(calendars).toHaveCount(0);
  await page.goto(`${changing.url}/events/cancelled`);
  await expect(page.locator('.event-state')).toHaveText('Cancelled');
  await expect(page.locator('.ticket-status')).toHaveText('It won’t take place');
  await expect(page.locator('.join-button')).toHaveCount(0);
  await expect(calendars).toHaveCount(0);
  await page.goto(`${changing.url}/events/moved`);
  await expect(page.locator('.ticket-place')).toHaveText('WhereOnline');
  await expect(page.getByRole('region', { name: 'When', exact: true })).toContainText(
    'It was moved online: nobody will be at the place that was announced.',
  );
  await page.goto(`${changing.url}/events/open`);
  await expect(page.locator('.ticket-words')).toHaveText('Open-ended');
  await expect(calendars).toHaveText(['Apple, Outlook and others (.ics)', 'Google Calendar']);
  await page.goto(`${changing.url}/events/full`);
  await expect(ticketOf(page)).toContainText('It’s full. No places are left.');
  await expect(page.locator('.join-button')).toHaveCount(0);
  await expect(ticketOf(page).getByRole('link', { name: 'Website' })).toHaveAttribute(
    'href',
    'https://own-site.example/',
  );
  await expect(page.getByRole('link', { name: '#fully-booked' })).toBeVisible();
  await page.goto(`${changing.url}/events/channel`);
  await expect(ticketOf(page).getByRole('link', { name: /^Join/ })).toHaveAttribute(
    'href',
    'https://makers.slack.example/app_redirect?channel=night-train',
  );
});

test('an event that is online now and in person later says so first, and its exact days and its text once', async ({
  page,
  changing,
}) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto(`${changing.url}/events/hybrid`);
  const ticket = ticketOf(page);
  await expect(ticket.locator('.ticket-status')).toHaveText('Online now, in person later');
  await expect(ticket.locator('.ticket-term')).toHaveText(['Online', 'In person']);
  for (const part of ['.ticket-status', '.ticket-words >> nth=0']) {
    await expect(ticket.locator(part)).toBeInViewport({ ratio: 1 });
  }
  const dates = page.getByRole('region', { name: 'When and where' });
  const inWords = (days: number) => toFullDay(inDays(days));
  await expect(dates.locator('dd')).toHaveText([
    `${inWords(-20)} – ${inWords(40)}`,
    `${inWords(38)} – ${inWords(40)}`,
    'Hall 3',
  ]);
  const text = (await page.locator('article.event').textContent()) ?? '';
  expect(text.split(inWords(-20)).length).toBe(2);
  expect(text.split(inWords(38)).length).toBe(2);
  await expect(page.locator('article.event').getByText('Two robots, one ring.')).toHaveCount(1);
});

test('the calendar menu closes by Escape, and by a click outside, which does nothing else', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/events/night-train-hackathon`);
  const menu = page.locator('.calendar-menu');
  const summary = menu.getByText('Add to calendar');
  await summary.click();
  await page.keyboard.press('Escape');
  await expect(menu).not.toHaveAttribute('open');
  await expect(menu.locator('summary')).toBeFocused();
  await summary.click();
  await page.locator('.site-name').click();
  await expect(menu).not.toHaveAttribute('open');
  await expect(page).toHaveURL(/night-train-hackathon/);
});

test('format and project types lead to the events that share them', async ({ page, changing }) => {
  await page.goto(`${changing.url}/events/moved`);
  const tags = page.getByRole('list', { name: 'More events like this' });
  await expect(tags.getByRole('link')).toHaveText(['Online', 'CAD']);
  await tags.getByRole('link', { name: 'CAD' }).click();
  await expect(page).toHaveURL(`${changing.url}/?projectType=CAD`);
});

test.describe('an event that is removed', () => {
  test.use({ allowed: /status of 404/ });

  test('an open tab follows the day, the table, and a removal', async ({ page, changing }) => {
    await page.clock.install();
    await page.goto(`${changing.url}/events/ahead`);
    const words = page.locator('.ticket-words');
    await expect(words).toHaveText('Tomorrow');
    const change = async (fields: object | null, expectation: () => Promise<void>) => {
      const [first, ...others] = records;
      if (first === undefined) throw new Error('no record');
      changing.changeTable(
        fields === null
          ? others
          : [{ ...first, fields: { ...first.fields, ...fields } }, ...others],
      );
      await expect(async () => {
        await page.clock.fastForward(61_000);
        await expectation();
      }).toPass();
    };
    const isShown = (text: string) => () => expect(words).toHaveText(text, { timeout: 1_000 });
    await change({ 'Start Date': today, 'End Date': today }, isShown('Today'));
    await expect(page.locator('.ticket-status')).toHaveText('On now');
    const before = { 'Start Date': inDays(-1), 'End Date': inDays(-1) };
    await change(before, () =>
      expect(page.locator('.ticket-status')).toHaveText('Past', { timeout: 1_000 }),
    );
    await expect(page.locator('.join-button')).toHaveCount(0);
    await change(null, () =>
      expect(page.getByText('no longer listed')).toBeVisible({ timeout: 1_000 }),
    );
  });
});

test('with wide text spacing, at 400 %, and with endless words nothing is cut or hidden', async ({
  page,
  changing,
}) => {
  const list = await page.request.get(`${changing.url}/api/v1/events`);
  const { data }: { data: { id: string; name: string }[] } = await list.json();
  const long = data.find(({ name }) => name.startsWith('Donau'));
  for (const id of ['ahead', 'channel', long?.id]) {
    await page.goto(`${changing.url}/events/${id}`);
    await setTextSpacing(page);
    // 1280 px at 400 % are 320.
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScrolling(page);
      expect(await findClippedTexts(page), `${id} at ${width} px`).toEqual([]);
    }
  }
});

test('on paper there are poster, ticket and texts, but no controls', async ({ page, changing }) => {
  await page.goto(`${changing.url}/events/ahead`);
  await page.emulateMedia({ media: 'print' });
  for (const shown of ['.printed-date', 'h1', '.join-button', '.event-text', '.event-facts']) {
    await expect(page.locator(shown).first()).toBeVisible();
  }
  // “In 3 days” is wrong tomorrow.
  for (const hidden of [
    '.ticket-when',
    '.ticket-status',
    '.site-header',
    '.event-actions',
    '.page-formats',
    '.site-footer',
  ]) {
    await expect(page.locator(hidden)).toBeHidden();
  }
});
