import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import type { AirtableServer } from '#lib/demo/airtable-server.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/marquee-server.ts';
import { type ProxiedSite, startProxiedSite } from '../support/proxied-site.ts';
import { test } from './site-test.ts';

/** The page of models against a proxy that the tests play, word by word. */

let table: AirtableServer;
let server: MarqueeServer;
let site: ProxiedSite;
let asked: { key: string; path: string; body: string };

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
  outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' });
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

async function say(page: Page, words: string): Promise<void> {
  await page.getByLabel('Your key').fill('mq_right');
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
