import { createHash } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeUsageRecord } from '../../support/factories/key-factory.ts';
import { forTests } from '../../support/for-tests.ts';
import { startMembersInProcess } from '../../support/members/members-in-process.ts';
import { startMembersSite } from '../../support/members/members-site.ts';
import { openTestDatabase } from '../../support/servers/each-database.ts';
import { storeUsage } from '../../support/store-usage.ts';

const site = forTests(() => startMembersSite());

test('members see how models have done, visitors nothing, and the page is the same for all', async () => {
  const path = `${site.siteUrl}/account/models.json`;
  const { browser } = await site.signIn('ada');
  const database = await openTestDatabase({ dataDir: site.server.dataDir });
  const at = Date.now();
  const make = (model: string) => (_: unknown, index: number) =>
    makeUsageRecord({ id: `${model} ${index}`, at, model, status: index === 0 ? 502 : 200 });
  await storeUsage(database, Array.from({ length: 20 }, make('lantern-demo/wick-3')));
  await storeUsage(database, Array.from({ length: 19 }, make('lantern-demo/wick-3-mini')));
  const shown = await browser.open(path);
  expect(shown.headers.get('cache-control')).toBe('no-store');
  const { models, outOfOrder } = JSON.parse(shown.text);
  expect(outOfOrder).toEqual([]);
  // Of fewer than 20 requests nothing is told.
  expect(Object.keys(models)).toEqual(['lantern-demo/wick-3']);
  expect(models['lantern-demo/wick-3']).toMatchObject({ requests: 20, failed: 1 });
  const visitor = await site.openBrowser().open(path);
  expect([visitor.status, visitor.text]).toEqual([204, '']);

  const [mine, theirs] = await Promise.all(
    [browser, site.openBrowser()].map((each) => each.open(`${site.siteUrl}/models`)),
  );
  expect(mine?.headers.get('cache-control')).toMatch(/^public/);
  const toDigest = (text = '') => createHash('sha256').update(text).digest('hex');
  expect(toDigest(mine?.text)).toBe(toDigest(theirs?.text));
});

test('a model is out of order where no upstream lets a call through to it', async () => {
  const { signInAs, siteUrl, server, close } = await startMembersInProcess();
  onTestFinished(close);
  const browser = await signInAs('ada');
  const read = async () => JSON.parse((await browser.open(`${siteUrl}/account/models.json`)).text);
  expect((await read()).outOfOrder).toEqual([]);
  const upstream = {
    name: 'north',
    breaker: 'closed' as const,
    circuits: ['demo/large', 'demo/small'],
    openCalls: 0,
    lastFailure: null,
    protocols: ['chat'] as const,
    models: ['demo/large', 'demo/small'],
    listedAtMs: 0,
    fields: {},
    credit: null,
  };
  vi.spyOn(server.services.aiProxy, 'describeUpstreams').mockReturnValue([
    upstream,
    { ...upstream, name: 'south', models: ['demo/small', 'demo/own'], circuits: [] },
    { ...upstream, name: 'east', models: ['demo/far'], circuits: [], breaker: 'open' },
  ]);
  expect((await read()).outOfOrder).toEqual(['demo/large', 'demo/far']);
});

test('models are side by side without scripts, at a URL of their own', async () => {
  const ids = ['lantern-demo/wick-3', 'lantern-demo/wick-3-mini'];
  const search = ids.map((id) => `compare=${encodeURIComponent(id)}`).join('&');
  const page = await site.openBrowser().open(`${site.siteUrl}/models?${search}`);
  const [, table = ''] = /class="model-comparison">([\s\S]*?)<\/table>/.exec(page.text) ?? [];
  for (const id of ids) expect(table).toContain(`<th scope="col"><code>${id}</code></th>`);
  for (const term of ['Context', '1M tokens in', '10k tokens in, 1k out', 'Vision', 'Tools']) {
    expect(table).toContain(`<th scope="row">${term}</th>`);
  }
  const boxes = page.text.match(/<input [^>]*name="compare"[^>]*>/g) ?? [];
  expect(boxes.filter((box) => box.includes('checked=""'))).toHaveLength(2);
  for (const box of boxes) expect(box).toContain('form="model-filters"');
});
