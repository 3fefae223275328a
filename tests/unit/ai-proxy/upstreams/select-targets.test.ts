import { expect, test } from 'vitest';
import { createTargetSelector, orderByWeight } from '#lib/ai-proxy/upstreams/select-targets.ts';
import { createUpstreamSet } from '#lib/ai-proxy/upstreams/upstream-set.ts';
import type { ModelSettings, UpstreamSettings } from '#lib/ai-proxy/upstreams/upstream-settings.ts';
import { startModelServer } from '#lib/demo/models/model-server.ts';
import { createRandom } from '#lib/demo/seeded-random.ts';
import { createTestLog } from '../../../support/test-log.ts';

function toSettings(name: string, url: string, more: Partial<UpstreamSettings> = {}) {
  const protocols = ['chat', 'responses', 'embeddings'] as const;
  return { name, url, key: 'k', protocols, weight: 1, timeoutSeconds: {}, ...more };
}

async function startSet(
  upstreams: readonly UpstreamSettings[],
  models: readonly ModelSettings[] = [],
) {
  const options = { firstByteMs: 5000, now: Date.now, log: createTestLog() };
  const set = createUpstreamSet({ settings: { upstreams, models }, ...options });
  await Promise.allSettled(set.upstreams().map(({ lists }) => lists.current()));
  return { set, [Symbol.asyncDispose]: () => set.close() };
}

const away = 'http://127.0.0.1:1/v1';

test('a model that the operator defines has its targets in order, under their own ids', async () => {
  const model: ModelSettings = {
    id: 'fast',
    targets: [{ upstream: 'south', model: 'vendor/small' }, { upstream: 'north' }],
    aliases: ['cheap'],
  };
  const settings = [toSettings('north', away), toSettings('south', away)];
  await using fixture = await startSet(settings, [model]);
  const select = createTargetSelector(fixture.set);
  const targetsOf = (name: string) => select(name).map((target) => [target.name, target.model]);
  const expected = [
    ['south', 'vendor/small'],
    ['north', 'fast'],
  ];
  expect(targetsOf('fast')).toEqual(expected);
  expect(targetsOf('cheap')).toEqual(expected);
  expect(targetsOf('cheap:nitro@preset/x')).toEqual([
    ['south', 'vendor/small:nitro@preset/x'],
    ['north', 'fast:nitro@preset/x'],
  ]);
});

test('other models have the upstreams that list them, and unlisted ones have all', async () => {
  const server = await startModelServer({ key: 'k' });
  const settings = [toSettings('north', away), toSettings('south', server.url)];
  await using fixture = await startSet(settings);
  const select = createTargetSelector(fixture.set);
  const namesOf = (model: string) => select(model).map(({ name }) => name);
  expect(namesOf('lantern-demo/wick-3')).toEqual(['south']);
  expect(namesOf('lantern-demo/wick-3:online')).toEqual(['south']);
  expect(namesOf('no/such').toSorted()).toEqual(['north', 'south']);
  await server.close();
});

test('targets with weights are drawn in their proportion, and weight 0 comes last', () => {
  const items = [
    { name: 'a', weight: 3 },
    { name: 'b', weight: 1 },
    { name: 'c', weight: 0 },
  ];
  const random = createRandom(1);
  const orders = Array.from({ length: 4000 }, () =>
    orderByWeight(items, ({ weight }) => weight, random).map(({ name }) => name),
  );
  const first = orders.filter(([name]) => name === 'a').length / orders.length;
  expect(first).toBeGreaterThan(0.72);
  expect(first).toBeLessThan(0.78);
  expect(orders.every((names) => names.length === 3 && names[2] === 'c')).toBe(true);
});

test('new settings keep unchanged upstreams connected, and let the calls of removed ones end', async () => {
  const server = await startModelServer({ key: 'k', paceMs: 5 });
  const [north, south] = [toSettings('north', server.url), toSettings('south', server.url)];
  await using fixture = await startSet([north, south]);
  const before = fixture.set.upstreams();
  const body = JSON.stringify({
    model: 'lantern-demo/wick-3',
    stream: true,
    messages: [{ role: 'user', content: 'count to 60' }],
  });
  const request = { method: 'POST', path: '/chat/completions', isStream: true, body } as const;
  const stream = before[1]?.upstream.read(request, String);

  fixture.set.replace({ upstreams: [{ ...north }, toSettings('west', away)], models: [] });

  expect(fixture.set.upstreams().map(({ settings }) => settings.name)).toEqual(['north', 'west']);
  expect(fixture.set.upstreams()[0]).toBe(before[0]);
  expect(await stream?.result).toContain('[DONE]');
  await server.close();
});
