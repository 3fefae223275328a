import { expect, test } from 'vitest';
import { getPage, send } from '../../support/clients/http-client.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { forTests } from '../../support/for-tests.ts';
import { startSite, startSiteInProcess } from '../../support/servers/marquee-server.ts';

/** What the operator tells everybody. */

const text = 'No <b>proxy</b> on *Sunday* & [Monday](javascript:alert(1))';
const settings = {
  SITE_NOTICE: text,
  SITE_NOTICE_URL: 'https://status.events.example/?a=1&b=2',
  SITE_NOTICE_UNTIL: '2099-12-01T18:00',
  EVENTS_TIME_ZONE: 'Europe/Brussels',
};
const server = forTests(() => startSite({ settings }));

test.for(['/', '/calendar', '/map', '/models', '/docs/ai', '/saved', '/subscribe', '/nowhere'])(
  'the page %s shows it, as text',
  async (path) => {
    const { text: html } = await getPage(server, path);
    expect(html).toContain('No &lt;b&gt;proxy&lt;/b&gt; on *Sunday* &amp; [Monday]');
    expect(html).toContain('href="https://status.events.example/?a=1&amp;b=2"');
    expect(html).toContain('1 Dec 2099, 18:00 (Europe/Brussels)');
  },
);

async function readInstructions(port: number): Promise<string> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const { text: reply } = await send({ port }, '/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  });
  return JSON.parse(reply).result.instructions;
}

test('it ends by the clock of the site: in Markdown, and in the instructions of MCP', async () => {
  const clock = createFakeClock('2026-11-30T17:00:00Z');
  const until = { SITE_NOTICE_UNTIL: '2026-12-01' };
  await using site = await startSiteInProcess(
    { settings: { ...settings, ...until } },
    { now: clock.now },
  );
  const paths = ['/index.md', '/calendar.md', '/models.md', '/docs/ai.md', '/saved.md', '/no.md'];
  const readAll = () => Promise.all(paths.map(async (path) => (await send(site, path)).text));
  for (const markdown of await readAll()) {
    expect(markdown.match(/Notice until 1 Dec 2026: /g)).toHaveLength(1);
    // No markup of its own.
    expect(markdown).toContain('\\*Sunday\\*');
    expect(markdown).not.toMatch(/(?<!\\)\[Monday\]\(/);
    expect(markdown).toContain('[More](https://status.events.example/?a=1&b=2)');
  }
  expect(await readInstructions(site.port)).toContain(`until 1 Dec 2026: ${text}`);
  expect((await send(site, '/llms-full.txt')).text).not.toContain('Notice until');
  clock.moveTo('2026-12-01T23:00:00Z');
  for (const markdown of await readAll()) expect(markdown).not.toContain('Notice until');
  expect(await readInstructions(site.port)).not.toContain('Sunday');
});
