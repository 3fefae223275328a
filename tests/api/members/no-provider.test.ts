import { expect, test } from 'vitest';
import { routePaths } from '#lib/site/pages/routes.ts';
import { send } from '../../support/clients/http-client.ts';
import { createTestBrowser } from '../../support/members/test-browser.ts';
import { startMarqueeInProcess } from '../../support/servers/marquee-server.ts';

// ASVS 6.3.2
test('without a provider there are no accounts: every route of theirs is a 404', async () => {
  await using server = await startMarqueeInProcess({});
  const paths = routePaths.filter((path) => /^\/(?:account|sign-)/.test(path));
  expect(paths).toHaveLength(14);
  for (const path of paths) {
    expect((await send(server, path)).status).toBe(404);
    expect((await send(server, path, { method: 'POST' })).status).toBe(404);
  }
});

test('a provider that is away is said so, and not remembered', async () => {
  const siteUrl = 'http://localhost:4999';
  await using server = await startMarqueeInProcess({
    SITE_URL: siteUrl,
    OIDC_ISSUER: 'http://127.0.0.1:1',
    OIDC_CLIENT_ID: 'x',
    MEMBERS_ALLOWED: '*',
  });
  const browser = createTestBrowser({ [siteUrl]: server.url });
  for (const _ of [1, 2]) {
    const page = await browser.open(`${siteUrl}/sign-in`);
    expect(page.url).toBe(`${siteUrl}/account?problem=provider`);
  }
  expect(server.logText()).toContain('sign_in_provider');
});
