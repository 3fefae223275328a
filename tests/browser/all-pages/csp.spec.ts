import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { loadConfig } from '#lib/config/config.ts';
import { createRoutes } from '#lib/server/load-routes.ts';
import { createPages } from '#lib/server/rendering/pages.ts';
import { createRequestHandler } from '#lib/server/request-handler.ts';
import { createResponseCache } from '#lib/server/response-cache.ts';
import { createServices, setServices } from '#lib/services.ts';
import { test } from '../site-test.ts';

/** Only scripts from Next and the layout run. */

// The browser logs what was blocked, and the missing icon.
test.use({ allowed: /Content Security Policy|The policy blocked|status of 404/ });

let server: Server;
let url = '';
const dataDir = mkdtempSync(join(tmpdir(), 'marquee-csp-'));

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
  const config = loadConfig({ DATA_DIR: dataDir });
  const services = setServices(createServices(config));
  server = createServer(
    createRequestHandler({
      services,
      routes: createRoutes(),
      pages: createPages(renderPatched, services),
      files: { respond: () => null },
      cache: createResponseCache(),
      developmentHandler: null,
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});

test.afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

for (const visit of ['rendered', 'cached']) {
  test(`an injected script does not run in a ${visit} page, the page’s own does`, async ({
    page,
  }) => {
    const blocked: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) blocked.push(message.text());
    });
    const response = await page.goto(`${url}/docs`);
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
