import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { openDatabase } from '#lib/database.ts';
import { test } from '../../browser/site-test.ts';
import { warmPages } from '../../browser/sites/warm-pages.ts';
import { imageUrl } from '../../support/clients/client-fixtures.ts';
import { makeKeyInput } from '../../support/factories/key-services.ts';
import { startTestModels, type TestModels } from '../../support/models/test-models.ts';
import { openRegister } from '../../support/servers/make-key.ts';
import { startSite } from '../../support/servers/marquee-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

/** The playground with the real proxy and the demo's models. */

const run = promisify(execFile);
const asModule = ['--input-type=module', '-e'];
const root = `${import.meta.dirname}/../../..`;
const folder = makeTemporaryFolder();

let models: TestModels;
let server: Awaited<ReturnType<typeof startSite>>;
let key: string;
let rareKey: string;

test.beforeAll(async () => {
  models = await startTestModels({ key: 'sk-of-the-models', paceMs: 5 });
  key = await makeKey('whole', 1000);
  rareKey = await makeKey('rare', 1);
  server = await startSite({
    settings: {
      // Copied code must call this server.
      SITE_URL: '',
      DATA_DIR: folder.path,
      AI_UPSTREAM_URL: models.url,
      AI_UPSTREAM_KEY: models.key,
      AI_MODELS: 'lantern-demo/*,harbour-demo/*,fault/*',
    },
  });
  await warmPages(server.url, ['/models']);
});

test.afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await models.close();
  folder[Symbol.dispose]();
});

async function makeKey(name: string, requestsPerMinute: number): Promise<string> {
  const place = { databaseUrl: null, dataDir: folder.path };
  const database = await openDatabase(place);
  const register = openRegister(database, place);
  const { text } = await register.create(makeKeyInput({ name, requestsPerMinute }));
  await database.close();
  return text;
}

const replyOf = (page: Page) => page.locator('[data-role="assistant"]').last();

async function sendMessage(
  page: Page,
  words: string,
  model = 'lantern-demo/wick-3',
): Promise<void> {
  await page.getByLabel('Model', { exact: true }).fill(model);
  await page.getByLabel('Message').fill(words);
  await page.getByRole('button', { name: 'Send' }).click();
}

/** All texts that the page shows from now on: what is there for a moment only is missed by polls. */
function watchText(page: Page) {
  return page.evaluateHandle(() => {
    const texts: string[] = [];
    const note = () => texts.push(document.querySelector('main')?.textContent ?? '');
    new MutationObserver(note).observe(document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    return texts;
  });
}

async function openPlayground(page: Page, withKey = key): Promise<void> {
  await page.goto(`${server.url}/models`);
  await page.getByLabel('API key').fill(withKey);
}

test('a pasted key and a selected model: the reply streams in, and its tokens are shown', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${server.url}/models`);
  await page.evaluate((text) => navigator.clipboard.writeText(text), key);
  await page.getByLabel('API key').focus();
  await page.keyboard.press('ControlOrMeta+V');
  await page.getByLabel('Search models').fill('tide small');
  await expect(page.getByRole('button', { name: /^Try / })).toHaveCount(1);
  await page.getByRole('button', { name: 'Try harbour-demo/tide-small' }).click();
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('harbour-demo/tide-small');
  await expect(page.getByLabel('Message')).toBeFocused();
  await page.keyboard.type('count to 300');
  const shown = await watchText(page);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(replyOf(page)).toContainText('299 300');
  // The first words were there, and it could be stopped, while the rest was still streaming.
  const texts = await shown.jsonValue();
  const partial = texts.filter((text) => text.includes('1 2 3') && !text.includes('299 300'));
  expect(partial.some((text) => text.includes('Stop'))).toBe(true);
  await expect(page.getByText('The reply is complete.')).toBeAttached();
  const facts = page.locator('.reply-facts');
  await expect(facts).toContainText(/Input tokens\s*\d+/);
  await expect(facts).toContainText(/Output tokens\s*\d{2,}/);
});

test('stopping a reply aborts the upstream request', async ({ page }) => {
  await openPlayground(page);
  const { aborted } = models.stats();
  await sendMessage(page, 'count to 20000', 'fault/pace:40');
  await expect(replyOf(page)).toContainText('1 2 3');
  expect(models.stats().openRequests).toBe(1);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('You stopped the reply.')).toBeVisible();
  await expect.poll(() => models.stats().openRequests).toBe(0);
  expect(models.stats().aborted).toBe(aborted + 1);
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();
});

test('Stop only stops: the draft of the next message is not sent', async ({ page }) => {
  await openPlayground(page);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  for (const stop of ['click', 'dblclick', 'Enter'] as const) {
    await sendMessage(page, 'count to 20000', 'fault/pace:40');
    await expect(replyOf(page)).toContainText('1 2 3');
    await page.getByLabel('Message').fill('The next message, half of it');
    const button = page.getByRole('button', { name: 'Stop' });
    await (stop === 'Enter' ? button.press(stop) : button[stop]());
    await expect(page.getByText('You stopped the reply.')).toBeVisible();
    await expect.poll(() => models.stats().openRequests).toBe(0);
    await expect(page.getByLabel('Message')).toHaveValue('The next message, half of it');
    // The second click may land in the field, which moves when the reply has ended.
    if (stop !== 'dblclick') await expect(page.getByRole('button', { name: 'Send' })).toBeFocused();
    await page.getByRole('button', { name: 'New chat' }).click();
  }
  expect(sent).toHaveLength(3);
});

for (const api of ['Responses', 'Chat Completions', 'Messages']) {
  test(`the next question includes the conversation: ${api}`, async ({ page }) => {
    await openPlayground(page);
    await page.getByLabel('API format', { exact: true }).selectOption(api);
    await sendMessage(page, 'Which way to the harbour?');
    await expect(page.getByText('The reply is complete.')).toBeAttached();
    await expect(page.locator('.reply-facts')).toContainText(/First token after\s*\d+\.\d\d s/);
    await sendMessage(page, 'And back?');
    await expect(replyOf(page)).toContainText('your turn 2; you began with “Which way');
    await expect(page.getByText('The reply is complete.')).toBeAttached();
    await expect(page.locator('[data-role]')).toHaveCount(4);
    await page.getByRole('button', { name: 'New chat' }).click();
    await expect(page.locator('[data-role]')).toHaveCount(0);
  });
}

test('while a long reply runs, Stop and the message field stay in view', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 700 });
  await openPlayground(page);
  await sendMessage(page, 'count to 3000', 'fault/pace:1');
  await expect(replyOf(page)).toContainText('1 2 3');
  await page.locator('.conversation').evaluate((element) => element.scrollIntoView());
  await expect
    .poll(async () => (await replyOf(page).boundingBox())?.height ?? 0)
    .toBeGreaterThan(700);
  await expect(page.getByRole('button', { name: 'Stop' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel('Message')).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Stop' }).click();
});

test('leaving the page aborts the request', async ({ page }) => {
  await openPlayground(page);
  await sendMessage(page, 'count to 20000', 'fault/pace:40');
  await expect(replyOf(page)).toContainText('1 2 3');
  await page.goto(`${server.url}/docs`);
  await expect.poll(() => models.stats().openRequests).toBe(0);
});

test('the list is filtered and sorted, and a card says what a model can do', async ({ page }) => {
  await page.goto(`${server.url}/models`);
  const cards = page.locator('.model-card');
  await expect(page.getByRole('button', { name: /^Try / })).toHaveCount(5);
  const large = cards.filter({ hasText: 'lantern-demo/wick-3' }).first();
  await expect(large).toContainText('Vision');
  await expect(large).toContainText('Per 1M tokens: in / out$2.50 / $12.00');
  await page.getByLabel('Vision').check();
  await expect(page.getByRole('heading', { name: /^Language models/ })).toContainText('3 of 5');
  await page.getByLabel('Input price').selectOption('Up to $1.00 per 1M');
  await expect(page.getByRole('button', { name: /^Try / })).toHaveCount(1);
  await page.getByLabel('Vision').uncheck();
  await page.getByLabel('Input price').selectOption('Any');
  await page.getByLabel('Sort by').selectOption('Price');
  await expect(cards.first()).toContainText('harbour-demo/tide-small');
  const embeddings = page.getByRole('region', { name: /^Embedding models/ });
  await expect(embeddings).toContainText('They turn text into vectors');
  await expect(embeddings.getByRole('button', { name: /^Try/ })).toHaveCount(0);
});

test('on a phone a card shows its price, and “Try” is within reach of the thumb', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto(`${server.url}/models`);
  const card = page.locator('.model-card').first();
  await card.scrollIntoViewIfNeeded();
  await expect(card.getByText(/^Per 1M tokens/)).toBeInViewport({ ratio: 1 });
  const button = card.getByRole('button', { name: /^Try / });
  await expect(button).toBeInViewport({ ratio: 1 });
  const box = await button.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
});

test('filters are in the URL: Back undoes them, and a link shows the same list to others', async ({
  page,
}) => {
  await page.goto(`${server.url}/models`);
  const search = page.getByLabel('Search models');
  const count = page.getByRole('heading', { name: /^Language models/ });
  await page.getByLabel('Vision').check();
  await expect(page).toHaveURL(`${server.url}/models?can=vision`);
  await search.pressSequentially('tide');
  await expect(page).toHaveURL(`${server.url}/models?q=tide&can=vision`);
  await expect(count).toContainText('1 of 5');
  // What was typed is one step.
  await page.goBack();
  await expect(search).toHaveValue('');
  await expect(count).toContainText('3 of 5');
  await page.goBack();
  await expect(page.getByLabel('Vision')).not.toBeChecked();
  await page.goto(`${server.url}/models?q=tide&can=vision&sort=price`);
  await expect(search).toHaveValue('tide');
  await expect(page.getByLabel('Sort by')).toHaveValue('price');
  await expect(count).toContainText('1 of 5');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(`${server.url}/models`);
});

test.describe('a failed request', () => {
  test.use({ allowed: /status of 502|Failed to load|ERR_INTERNET_DISCONNECTED/ });

  test('leaves the prompt in the field, and can be retried', async ({ page, context }) => {
    await openPlayground(page);
    await sendMessage(page, 'count to 7', 'fault/500');
    await expect(page.locator('.conversation .notice')).toContainText('service failed');
    await expect(page.getByLabel('Message')).toHaveValue('count to 7');
    await expect(page.locator('.playground-code pre')).toContainText('"input": "count to 7"');
    await page.getByLabel('Model', { exact: true }).fill('lantern-demo/wick-3');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('The reply is complete.')).toBeAttached();
    await expect(page.locator('[data-role="user"]')).toHaveCount(1);
    await expect(page.getByLabel('Message')).toHaveValue('');
    await context.setOffline(true);
    await sendMessage(page, 'Still there?');
    await expect(page.getByText('No response.')).toBeVisible();
    await expect(page.getByLabel('Message')).toHaveValue('Still there?');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.locator('[data-role="assistant"]')).toHaveCount(2);
  });
});

test.describe('errors are explained', () => {
  test.use({ allowed: /status of 4\d\d|status of 502|ERR_INCOMPLETE_CHUNKED_ENCODING/ });

  test('a wrong key, an unknown model, a limit', async ({ page }) => {
    await openPlayground(page, 'mq_unknown');
    await sendMessage(page, 'Hello.');
    await expect(page.getByText('Key rejected.')).toBeVisible();
    await page.getByLabel('API key').fill(rareKey);
    await sendMessage(page, 'Hello.', 'lantern-demo/wick-99');
    await expect(page.getByText('This model does not exist.')).toBeVisible();
    await sendMessage(page, 'Hello.');
    await expect(page.getByText('Too many requests for this minute.')).toBeVisible();
    const link = page.getByRole('link', { name: 'About this error' });
    await link.click();
    await expect(page.locator(':target')).toHaveText('rate_limit_exceeded');
  });

  for (const api of ['Responses', 'Chat Completions', 'Messages']) {
    test(`the text of an interrupted reply stays visible: ${api}`, async ({ page }) => {
      await openPlayground(page);
      await page.getByLabel('API format', { exact: true }).selectOption(api);
      await sendMessage(page, 'count to 50', 'fault/cut');
      await expect(page.locator('.conversation .notice')).toBeVisible();
      await expect(replyOf(page)).toContainText('1 2 3');
      await sendMessage(page, 'count to 7', 'fault/500');
      await expect(page.locator('.conversation .notice')).toContainText('service failed');
    });
  }
});

// ASVS 14.3.3
test('the key is in the session storage of this tab, and nowhere else', async ({
  page,
  context,
}) => {
  const urls: string[] = [];
  const carriers: string[] = [];
  page.on('request', (request) => {
    urls.push(request.url());
    const text = JSON.stringify(request.headers()) + request.postData();
    if (text.includes(key)) carriers.push(new URL(request.url()).pathname);
  });
  await openPlayground(page);
  await sendMessage(page, 'count to 3');
  await expect(page.getByText('The reply is complete.')).toBeAttached();
  const stored = await page.evaluate(() => ({
    tab: JSON.stringify(sessionStorage),
    local: JSON.stringify(localStorage) + document.cookie + location.href + document.title,
    history: JSON.stringify(history.state),
  }));
  expect(stored.tab).toContain(key);
  expect(stored.local + stored.history).not.toContain(key);
  expect(JSON.stringify(await context.storageState())).not.toContain(key);
  expect(urls.join()).not.toContain(key);
  expect(new Set(carriers)).toEqual(new Set(['/proxy/v1/responses']));
  await page.reload();
  await expect(page.getByLabel('API key')).toHaveValue(key);
  const other = await context.newPage();
  await other.goto(`${server.url}/models`);
  await expect(other.getByLabel('API key')).toHaveValue('');
});

test('the request is copied as code that runs', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openPlayground(page);
  await page.getByLabel('Model', { exact: true }).fill('lantern-demo/wick-3');
  await page.getByLabel('Message').fill('It\'s `quoted` "twice" $HOME \\ count to 5');
  const env = { ...process.env, MARQUEE_KEY: key };
  const runners = [
    ['curl', (code: string) => run('sh', ['-c', code], { env })],
    [
      'JavaScript',
      (code: string) => run(process.execPath, [...asModule, code], { cwd: root, env }),
    ],
  ] as const;
  for (const api of ['Responses', 'Chat Completions', 'Messages']) {
    await page.getByLabel('API format', { exact: true }).selectOption(api);
    for (const [language, runCode] of runners) {
      await page.getByLabel(language, { exact: true }).check();
      await page.getByRole('button', { name: `Copy the ${language} code` }).click();
      const code = await page.evaluate(() => navigator.clipboard.readText());
      expect(code).not.toContain(key);
      const { stdout } = await runCode(code);
      if (language === 'JavaScript') expect(stdout).toBe('1 2 3 4 5');
      else expect(stdout).toContain('data: ');
    }
    await page.getByLabel('Python', { exact: true }).check();
    const imported = api === 'Messages' ? 'anthropic import Anthropic' : 'openai import OpenAI';
    await expect(page.locator('.playground-code pre')).toContainText(`from ${imported}`);
  }
});

test('hostile Markdown in a reply does nothing, and loads nothing', async ({ page }) => {
  page.on('dialog', () => expect('a dialog').toBe('never opened'));
  await openPlayground(page);
  for (const text of [
    '![x](https://elsewhere.example/p.png) <img src=x onerror=alert(1)> [press](javascript:alert(1))',
    '<script>alert(1)</script> <iframe src=//elsewhere.example> [data](data:text/html,<b>)',
  ]) {
    await sendMessage(page, text);
    await expect(page.getByText('The reply is complete.')).toBeAttached();
    // The demo's models repeat the prompt.
    await expect(replyOf(page)).toContainText('You wrote');
    await expect(replyOf(page).locator('strong')).toBeVisible();
    const harm = replyOf(page).locator('img, script, iframe, [onerror], [src]');
    await expect(harm).toHaveCount(0);
    await expect(page.locator('a[href^="javascript:" i], a[href^="data:" i]')).toHaveCount(0);
  }
});

test('pictures and settings are sent, and what it costs is shown', async ({ page }) => {
  await openPlayground(page);
  await page.getByLabel('Model', { exact: true }).fill('lantern-demo/wick-3');
  await page.locator('.playground-settings summary').click();
  await page.getByLabel('System prompt').fill('Be short.');
  await page.getByLabel('Temperature').fill('0.5');
  await page.getByLabel('Longest reply').fill('200');
  const name = 'pixel.png';
  const buffer = Buffer.from(imageUrl.split(',')[1] ?? '', 'base64');
  const chooser = page.locator('.picture-button input');
  await chooser.setInputFiles({ name, mimeType: 'image/png', buffer });
  await expect(page.locator('.playground-composer .picture-list img')).toHaveCount(1);
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByLabel('Message').fill('What is it?');
  await page.getByRole('button', { name: 'Send' }).click();
  const body = (await sent).postDataJSON();
  expect(body).toMatchObject({
    instructions: 'Be short.',
    temperature: 0.5,
    max_output_tokens: 200,
    input: [{ content: [{ type: 'input_image' }, { type: 'input_text', text: 'What is it?' }] }],
  });
  expect(body.input[0].content[0].image_url).toMatch(/^data:image\/jpeg;base64,/);
  await expect(page.getByText('The reply is complete.')).toBeAttached();
  await expect(page.locator('.conversation .picture-list img')).toHaveCount(1);
  await expect(page.locator('.playground-composer .picture-list img')).toHaveCount(0);
  await expect(page.locator('.reply-facts')).toContainText(/Cost, by the list\s*\$\d/);
  await sendMessage(page, 'And now?');
  await expect(page.locator('.reply-facts')).toContainText(/Conversation\s*\$\d/);
});

test('models stand side by side, and their ids are copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${server.url}/models`);
  const card = page.locator('.model-card', { hasText: 'lantern-demo/wick-3-mini' });
  await card.getByRole('button', { name: 'Copy the id' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'lantern-demo/wick-3-mini',
  );
  await card.getByLabel('Compare').check();
  await page.getByLabel('Compare lantern-demo/wick-3', { exact: true }).check();
  await expect(page.locator('.model-comparison thead th')).toHaveCount(2);
  await expect(page).toHaveURL(/compare=.*&compare=/);
  await page.reload();
  await expect(page.locator('.model-comparison thead th')).toHaveCount(2);
});
