import { resolve } from 'node:path';
import { expect, type Locator } from '@playwright/test';
import { signIn } from '../../../browser/account.ts';
import { test } from '../../../browser/site-test.ts';

/** Drops a file of this machine, as a file manager does. */
async function dropFile(target: Locator, path: string): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('It is not on the page.');
  const page = target.page();
  const devTools = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devTools.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
  }
}

test('pictures are pasted and dropped where the model takes them, and elsewhere it says so', async ({
  page,
  context,
  site,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, site, 'Pia Santos');
  await page.goto(`${site.url}/account/playground`);
  const model = page.getByLabel('Model', { exact: true });
  const pictures = page.locator('.playground-composer .picture-list img');
  await model.fill('lantern-demo/wick-3');
  await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done));
    if (blob) await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
  });
  await page.getByLabel('Message').press('ControlOrMeta+v');
  await expect(pictures).toHaveCount(1);
  const path = resolve(import.meta.dirname, '../../../../public/icon-192.png');
  // Beside the message, where a browser would open it in place of the page.
  await dropFile(page.getByRole('heading', { level: 1 }), path);
  await expect(pictures).toHaveCount(2);
  for (const picture of await pictures.all()) {
    await expect(picture).toHaveAttribute('src', /^data:image\/jpeg;base64,/);
  }
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByLabel('Message').fill('What are they?');
  await page.getByRole('button', { name: 'Send' }).click();
  const { input } = (await sent).postDataJSON();
  const types = input[0].content.map(({ type }: { type: string }) => type);
  expect(types).toEqual(['input_image', 'input_image', 'input_text']);
  await expect(page.getByText('The reply is complete.')).toBeAttached();

  await model.fill('lantern-demo/wick-2');
  await dropFile(page.getByLabel('Message'), path);
  await expect(page.getByText('This model doesn’t take pictures')).toBeVisible();
  await expect(pictures).toHaveCount(0);
  await expect(page).toHaveURL(`${site.url}/account/playground`);
});

test('a model to which no upstream lets a call through has its mark', async ({ page, site }) => {
  const json = { models: {}, outOfOrder: ['lantern-demo/wick-2'] };
  await page.route('**/account/models.json', (route) => route.fulfill({ json }));
  await page.goto(`${site.url}/models`);
  await expect(page.getByText('Out of order')).toHaveCount(1);
  const card = page.locator('article, li').filter({ hasText: 'Out of order' }).last();
  await expect(card).toContainText('lantern-demo/wick-2');
});
