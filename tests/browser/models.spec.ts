import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, type Page, test } from '@playwright/test';
import type { AirtableServer } from '#lib/demo/airtable-server.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/marquee-server.ts';
import { type ProxiedSite, startProxiedSite } from '../support/proxied-site.ts';

/** The page of models against a proxy that the tests play, word by word. */

let table: AirtableServer;
let server: MarqueeServer;
let site: ProxiedSite;
let asked: { key: string; path: string; body: string };
/** Whether the browser has closed the connection of the last reply. */
let left: Promise<void>;

test.beforeAll(async () => {
  table = await startTable();
  server = await startMarquee(toTableSettings(table));
  site = await startProxiedSite({ port: server.port, answer: answerAsProxy });
});

test.afterAll(async () => {
  await site.stop();
  await server.stop();
  await table.close();
});

function answerAsProxy(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  const path = incoming.url ?? '';
  if (!path.startsWith('/proxy/v1/')) return false;
  void reply(path, incoming, outgoing);
  return true;
}

async function reply(path: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  let body = '';
  for await (const part of incoming) body += part;
  asked = { key: incoming.headers.authorization ?? '', path, body };
  if (asked.key === 'Bearer mq_wrong') {
    outgoing.writeHead(401, { 'Content-Type': 'application/json' });
    outgoing.end('{"error":{"message":"No.","type":"x","param":null,"code":"invalid_api_key"}}');
    return;
  }
  left = new Promise((resolve) => outgoing.once('close', resolve));
  outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' });
  if (body.includes('forever')) {
    for (let count = 1; !outgoing.destroyed; count++) {
      outgoing.write(toDelta(path, `word${count} `));
      await delay(20);
    }
    return;
  }
  for (const text of ['**Orion**', ' <img src=x onerror=alert(1)> ', '[a](javascript:alert(1))']) {
    outgoing.write(toDelta(path, text));
    await delay(20);
  }
  outgoing.end(`${toUsage(path)}data: [DONE]\n\n`);
}

function toDelta(path: string, text: string): string {
  const event = path.endsWith('/responses')
    ? { type: 'response.output_text.delta', delta: text }
    : { choices: [{ index: 0, delta: { content: text } }] };
  return `data: ${JSON.stringify(event)}\n\n`;
}

function toUsage(path: string): string {
  const usage = path.endsWith('/responses')
    ? { type: 'response.completed', response: { usage: { input_tokens: 11, output_tokens: 22 } } }
    : { choices: [], usage: { prompt_tokens: 11, completion_tokens: 22 } };
  return `data: ${JSON.stringify(usage)}\n\n`;
}

async function say(page: Page, words: string, key = 'mq_right'): Promise<void> {
  await page.getByLabel('Your key').fill(key);
  await page.getByLabel('Model', { exact: true }).fill('demo/small');
  await page.getByLabel('Say something').fill(words);
  await page.getByRole('button', { name: 'Send' }).click();
}

for (const [form, path] of [
  ['Responses', '/proxy/v1/responses'],
  ['Chat Completions', '/proxy/v1/chat/completions'],
] as const) {
  test(`a reply streams in and is shown as safe Markdown, with its tokens: ${form}`, async ({
    page,
  }) => {
    page.on('dialog', () => expect('a dialog').toBe('never opened'));
    await page.goto(`${site.url}/models`);
    await page.getByLabel('Form of the API').selectOption(form);
    await say(page, 'Name a constellation.');
    const answer = page.locator('[data-role="assistant"]');
    await expect(answer.locator('strong')).toHaveText('Orion');
    await expect(page.getByText('Tokens written')).toBeVisible();
    await expect(page.locator('.reply-facts')).toContainText('22');
    await expect(page.locator('.reply-facts')).toContainText(/First word after\s*\d+\.\d\d s/);
    await expect(answer.locator('img, [onerror], a[href^="javascript"]')).toHaveCount(0);
    expect(asked).toMatchObject({ path, key: 'Bearer mq_right' });
    expect(JSON.parse(asked.body)).toMatchObject({ model: 'demo/small', stream: true });
  });
}

test('a reply can be stopped: its words stay, and the connection is closed', async ({ page }) => {
  await page.goto(`${site.url}/models`);
  await say(page, 'Go on forever.');
  await expect(page.locator('[data-role="assistant"]')).toContainText('word3');
  await page.getByRole('button', { name: 'Stop' }).click();
  await left;
  await expect(page.getByText('You stopped it here.')).toBeVisible();
  // Markdown has no space at its end: words are compared, not what stands around them.
  const said = async () => (await page.locator('[data-role="assistant"]').textContent())?.trim();
  const words = await said();
  await delay(200);
  expect(await said()).toBe(words);
});

test('the next question carries the conversation with it', async ({ page }) => {
  await page.goto(`${site.url}/models`);
  await say(page, 'First.');
  await expect(page.getByText('Tokens written')).toBeVisible();
  await say(page, 'Second.');
  await expect(page.locator('[data-role]')).toHaveCount(4);
  const { input }: { input: { role: string }[] } = JSON.parse(asked.body);
  expect(input.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  await page.getByRole('button', { name: 'Begin anew' }).click();
  await expect(page.locator('[data-role]')).toHaveCount(0);
});

test('an error is shown in words, with the way to its section', async ({ page }) => {
  await page.goto(`${site.url}/models`);
  await say(page, 'Hello.', 'mq_wrong');
  await expect(page.getByText('The key was not taken.')).toBeVisible();
  const link = page.getByRole('link', { name: 'About this error' });
  await expect(link).toHaveAttribute('href', '/docs/errors#invalid_api_key');
});

test('the key is kept in its tab, and nowhere else', async ({ page, context }) => {
  await page.goto(`${site.url}/models`);
  await page.getByLabel('Your key').fill('mq_mine');
  await page.reload();
  await expect(page.getByLabel('Your key')).toHaveValue('mq_mine');
  const kept = await page.evaluate(() => JSON.stringify(localStorage) + document.cookie);
  expect(kept).not.toContain('mq_mine');
  const other = await context.newPage();
  await other.goto(`${site.url}/models`);
  await expect(other.getByLabel('Your key')).toHaveValue('');
});

test('the same request is shown as code, without the key', async ({ page }) => {
  await page.goto(`${site.url}/models`);
  await page.getByLabel('Your key').fill('mq_mine');
  await page.getByLabel('Say something').fill('It’s "quoted"');
  const panel = page.getByRole('region', { name: 'The same as code' });
  for (const language of ['curl', 'JavaScript', 'Python']) {
    await panel.getByLabel(language, { exact: true }).check();
    await expect(panel.locator('pre')).toContainText('It’s \\"quoted\\"');
    await expect(panel.locator('pre')).not.toContainText('mq_mine');
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the page says what there is, and how to go without', async ({ page }) => {
    await page.goto(`${site.url}/models`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Models');
    await expect(page.getByText('The playground needs JavaScript.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send' })).toBeHidden();
  });
});
