import { expect, test } from 'vitest';
import { readModels } from '#lib/ai-proxy/models/model.ts';
import { createTargetSelector, orderByWeight } from '#lib/ai-proxy/upstreams/select-targets.ts';
import { createUpstreamSet } from '#lib/ai-proxy/upstreams/upstream-set.ts';
import type { ModelSettings, UpstreamSettings } from '#lib/config/upstreams-schema.ts';
import { createRandom } from '#lib/demo/seeded-random.ts';
import { makeUpstreamSettings } from '../../../support/factories/upstream-settings.ts';
import { startTestModels } from '../../../support/models/test-models.ts';
import { createTestLog } from '../../../support/test-log.ts';
import { followCall } from '../../../support/upstreams/model-upstream.ts';

function toSettings(
  name: string,
  url: string,
  more: Partial<UpstreamSettings> = {},
): UpstreamSettings {
  const protocols = ['chat', 'responses', 'embeddings'] as const;
  return makeUpstreamSettings(name, url, { protocols, ...more });
}

const neverUsed = () => Promise.reject(new Error('The only worker counts for itself.'));
const parts = {
  firstByteMs: 5000,
  worker: { index: 0, count: 1 },
  sharedSlots: {
    slots: { take: neverUsed, renew: neverUsed, free: neverUsed },
    readClock: neverUsed,
  },
  now: Date.now,
  log: createTestLog(),
} as const;

async function startSet(
  upstreams: readonly UpstreamSettings[],
  models: readonly ModelSettings[] = [],
) {
  const set = createUpstreamSet({ settings: { upstreams, models }, ...parts });
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
  const targetsOf = (name: string) =>
    select(name, null).map((target) => [target.name, target.model]);
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

test('variants and presets share the breaker of their model; names that clients make up are not listed', async () => {
  const server = await startTestModels({ key: 'k' });
  const fast = { id: 'fast', targets: [{ upstream: 'south' }], aliases: [] };
  await using fixture = await startSet([toSettings('south', server.url)], [fast]);
  const select = createTargetSelector(fixture.set);
  const names = [
    'lantern-demo/wick-3',
    'lantern-demo/wick-3:nitro@preset/made-up',
    'no/such',
    'made/up',
    'fast:free@preset/made-up',
  ];
  const targets = names.map((name) => select(name, null)[0]);
  expect(targets.map((target) => [target?.circuit, target?.isListed])).toEqual([
    ['lantern-demo/wick-3', true],
    ['lantern-demo/wick-3', true],
    ['no/such', false],
    ['made/up', false],
    ['fast', true],
  ]);
  await server.close();
});

test('other models have the upstreams that list them, and unlisted ones have all', async () => {
  const server = await startTestModels({ key: 'k' });
  const settings = [toSettings('north', away), toSettings('south', server.url)];
  await using fixture = await startSet(settings);
  const select = createTargetSelector(fixture.set);
  const namesOf = (model: string) => select(model, null).map(({ name }) => name);
  expect(namesOf('lantern-demo/wick-3')).toEqual(['south']);
  expect(namesOf('lantern-demo/wick-3:online')).toEqual(['south']);
  expect(namesOf('no/such').toSorted()).toEqual(['north', 'south']);
  await server.close();
});

/** Upstreams whose lists have these records, without a connection. */
function createSelector(
  records: readonly object[],
  { models = [], ...settings }: Partial<UpstreamSettings> & { models?: readonly ModelSettings[] },
) {
  const listed = readModels(records) ?? [];
  const byId = new Map(listed.map((model) => [model.id, model]));
  const value = { language: listed, embedding: [], byId, hasTotal: false };
  const lists = {
    current: async () => ({ value, loadedAtMs: 0 }),
    peek: () => ({ value, loadedAtMs: 0 }),
  };
  const set = createUpstreamSet({
    settings: { upstreams: [toSettings('north', away, settings)], models },
    ...parts,
  });
  const named = set.upstreams().map((upstream) => ({ ...upstream, lists }));
  return createTargetSelector({ upstreams: () => named, models: () => models });
}

const dear = {
  id: 'vendor/dear',
  context_length: 9000,
  pricing: {
    prompt: '0.000003',
    completion: '0.000015',
    input_cache_read: '0.0000003',
    web_search: '0.01',
  },
  top_provider: { context_length: 8000, max_completion_tokens: 500 },
};

test('a target has the prices and lengths of its upstream’s list, also for a variant', () => {
  const extras = { web_search: { perCall: 0.01 } };
  const select = createSelector([dear], { extras, maxCostUsd: 3 });
  for (const name of ['vendor/dear', 'vendor/dear:nitro']) {
    expect(select(name, null)[0]).toMatchObject({
      model: name,
      prices: { input: 3e-6, output: 1.5e-5, cacheRead: 3e-7, webSearch: 0.01 },
      contextTokens: 8000,
      replyTokensMax: 500,
      extraPrices: extras,
      maxCostUsd: 3,
      trustsLowCost: false,
    });
  }
  expect(select('no/such', null)[0]).toMatchObject({
    prices: null,
    contextTokens: null,
    replyTokensMax: null,
  });
});

test('OpenAI’s own API is known to take its fields, unless the operator says which', () => {
  const acceptsOf = (more: Partial<UpstreamSettings>) =>
    createSelector([dear], more)('any', null)[0]?.accepts;
  for (const host of ['api.openai.com', 'eu.api.openai.com']) {
    expect(acceptsOf({ url: `https://${host}/v1` })).toContain('developer');
  }
  expect(acceptsOf({ url: 'https://api.openai.com/v1', accepts: ['user'] })).toEqual(['user']);
  expect(acceptsOf({ url: 'https://evil-api.openai.com.example/v1' })).toBeNull();
  expect(acceptsOf({ url: 'https://notapi.openai.com/v1' })).toBeNull();
});

test('the operator’s prices win; what they leave out is as listed', () => {
  const prices = { inputPerMillion: 1, outputPerMillion: 2, perRequest: 0.001 };
  const targets = [{ upstream: 'north', model: 'vendor/dear' }];
  const [plain, cached] = [prices, { ...prices, cacheReadPerMillion: 0.5 }].map((listed) => {
    const models = [{ id: 'fast', targets, aliases: [], prices: listed }];
    return createSelector([dear], { models })('fast', null)[0]?.prices;
  });
  expect(plain).toMatchObject({ input: 1e-6, output: 2e-6, request: 0.001 });
  expect(plain).toMatchObject({ cacheRead: 3e-7, webSearch: 0.01 });
  expect(plain?.cacheWrite).toBeCloseTo(1.25e-6, 12);
  expect(cached).toMatchObject({ cacheRead: 5e-7 });
});

test('a length of 0 in a list is unknown', () => {
  const record = {
    ...dear,
    context_length: 0,
    top_provider: { context_length: 0, max_completion_tokens: 0 },
  };
  expect(createSelector([record], {})('vendor/dear', null)[0]).toMatchObject({
    contextTokens: null,
    replyTokensMax: null,
  });
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
  const server = await startTestModels({ key: 'k', paceMs: 5 });
  const [north, south] = [toSettings('north', server.url), toSettings('south', server.url)];
  await using fixture = await startSet([north, south]);
  const before = fixture.set.upstreams();
  const body = JSON.stringify({
    model: 'lantern-demo/wick-3',
    stream: true,
    messages: [{ role: 'user', content: 'count to 60' }],
  });
  const request = { method: 'POST', path: '/chat/completions', isStream: true, body } as const;
  const call = before[1]?.upstream.call(request);

  fixture.set.replace({ upstreams: [{ ...north }, toSettings('west', away)], models: [] });

  expect(fixture.set.upstreams().map(({ settings }) => settings.name)).toEqual(['north', 'west']);
  expect(fixture.set.upstreams()[0]).toBe(before[0]);
  expect(call && (await followCall(call)).text).toContain('[DONE]');
  await server.close();
});
