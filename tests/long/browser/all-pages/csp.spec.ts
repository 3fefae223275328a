import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect } from '@playwright/test';
import { loadConfig } from '#lib/config/config.ts';
import { createPages } from '#lib/server/rendering/pages.ts';
import { createServices, setServices } from '#lib/services.ts';
import { test } from '../../../browser/site-test.ts';
import { type Listening, listenOnLoopback } from '../../../support/servers/loopback-server.ts';
import { createHandler } from '../../../support/servers/marquee-server.ts';
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts';

/** Only scripts from Next and the layout run. */

// The browser logs what was blocked, and the missing icon.
test.use({ allowed: /Content Security Policy|The policy blocked|status of 404/ });

const folder = makeTemporaryFolder();
let server: Listening;

/** Renders a page as Next does, from a component that was patched to inject scripts. */
async function renderPatched(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const nonce = incoming.headers['x-nonce'];
  outgoing.setHeader('content-type', 'text/html; charset=utf-8');
  outgoing.end(`<!doctype html><title>Patched</title>
    <script nonce="${nonce}">window.own = ${JSON.stringify({ nonce })}</script>
    <script>window.smuggled = 'inline'</script>
    <script nonce="cached">window.smuggled = 'with the nonce that cached pages have'</script>
    <img src="data:," onerror="window.smuggled = 'handler'">
    <a id="link" href="javascript:window.smuggled = 'link'">x</a>
    <script type="application/ld+json">{"@type":"Event"}</script>`);
}

test.beforeAll(async () => {
  const services = setServices(createServices(loadConfig({ DATA_DIR: folder.path })));
  const pages = createPages(renderPatched, services);
  server = await listenOnLoopback(createServer(createHandler(services, pages)));
});

test.afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

for (const visit of ['rendered', 'cached']) {
  test(`an injected script does not run in a ${visit} page, the page’s own does`, async ({
    page,
  }) => {
    const blocked: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) blocked.push(message.text());
    });
    const response = await page.goto(`${server.url}/docs`);
    expect(response?.headers()['x-cache']).toBe(visit === 'rendered' ? 'miss' : 'hit');
    await page.locator('#link').click();
    const seen = await page.evaluate(() => {
      const { own, smuggled } = window as { own?: object; smuggled?: string };
      return { own, smuggled };
    });
    expect(seen).toEqual({ own: { nonce: 'cached' } });
    expect(blocked.length).toBeGreaterThanOrEqual(4);
  });
}
