import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { toEmbeddingModelList, toLanguageModelList } from '#lib/ai-proxy/models/list-shapes.ts';
import { createUpstreamLists } from '#lib/ai-proxy/models/load-models.ts';
import { readModels, type UsableKind } from '#lib/ai-proxy/models/model.ts';
import { createModelLists, type ModelLists } from '#lib/ai-proxy/models/model-lists.ts';
import { toUpstreamError } from '#lib/ai-proxy/upstreams/errors/upstream-failure.ts';
import type { ModelSettings } from '#lib/config/upstreams-schema.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import type { TestModelsOptions } from '../../../support/models/test-models.ts';
import { startModelUpstream } from '../../../support/upstreams/model-upstream.ts';

type Lister = Parameters<typeof createUpstreamLists>[0];

function toSources(
  upstreams: readonly Lister[],
  now: () => number,
  models: readonly ModelSettings[] = [],
) {
  const listed = upstreams.map((upstream, index) => ({
    settings: { name: `upstream-${index + 1}` },
    lists: createUpstreamLists(upstream, now),
  }));
  return { upstreams: () => listed, models: () => models };
}

const toLister = (...data: object[]) => ({ fetchJson: async () => ({ data }) });
const away = { fetchJson: () => Promise.reject(new Error('The list is away.')) };

async function startLists(
  allowed: readonly string[] | null = null,
  server: Partial<TestModelsOptions> = {},
) {
  const fixture = await startModelUpstream(server);
  const clock = createFakeClock();
  const sources = toSources([fixture.upstream], clock.now);
  const lists = createModelLists({ sources, allowed, now: clock.now });
  return Object.assign(fixture, { clock, lists });
}

const requireModel = async (lists: ModelLists, model: string, kind: UsableKind) =>
  (await lists.select()).require(model, kind);

test('/embeddings/models has OpenRouter’s format and lists embedding models only', async () => {
  await using fixture = await startLists();
  const { snapshot } = await fixture.lists.current();
  const { data } = toEmbeddingModelList(snapshot.embedding);
  expect(data.map(({ id }) => id)).toEqual([
    'lantern-demo/embed-large',
    'harbour-demo/embed-multilingual',
    'juniper-demo/embed-open',
  ]);
  expect(data[0]).toMatchObject({
    object: 'model',
    canonical_slug: 'lantern-demo/embed-large-2026-03-09',
    hugging_face_id: '',
    created: Date.parse('2026-03-09T00:00:00Z') / 1000,
    context_length: 8192,
    architecture: { modality: 'text->embeddings', tokenizer: 'Other', instruct_type: null },
    pricing: { prompt: '0.00000012', completion: '0', request: '0', image: '0' },
    top_provider: { context_length: 8192, max_completion_tokens: null, is_moderated: false },
    per_request_limits: null,
    supported_parameters: [],
  });
});

test('embedding models are recognized in an upstream’s single list of bare ids', async () => {
  await using fixture = await startLists(null, { hasBareList: true });
  const { snapshot } = await fixture.lists.current();
  expect(snapshot.language).toHaveLength(8);
  expect(snapshot.embedding).toHaveLength(3);
  const { data } = toEmbeddingModelList(snapshot.embedding);
  expect(data[0]).toMatchObject({
    name: 'lantern-demo/embed-large',
    context_length: null,
    pricing: { prompt: '-1' },
  });
  expect((await fixture.lists.select()).find('lantern-demo/wick-3')?.prices).toBeNull();
});

test('a model of which a list has only the id may create vectors, whatever its name', async () => {
  await using bare = await startLists(null, { hasBareList: true });
  const id = 'lantern-demo/wick-3';
  expect(await requireModel(bare.lists, id, 'embedding')).toMatchObject({ id });
  await using full = await startLists();
  await expect(requireModel(full.lists, id, 'embedding')).rejects.toMatchObject({ status: 404 });
});

test('AI_MODELS filters both lists', async () => {
  await using fixture = await startLists(['lantern-demo/*', 'acorn-demo/tiny-4k', 'not/listed']);
  const { snapshot } = await fixture.lists.current();
  expect(snapshot.language.map(({ id }) => id)).toEqual([
    'lantern-demo/wick-3',
    'lantern-demo/wick-3-mini',
    'lantern-demo/wick-2',
    'acorn-demo/tiny-4k',
  ]);
  expect(snapshot.embedding.map(({ id }) => id)).toEqual(['lantern-demo/embed-large']);
});

test('lists are read once for all requests, and again after five minutes', async () => {
  await using fixture = await startLists();
  await Promise.all(Array.from({ length: 50 }, () => fixture.lists.current()));
  await requireModel(fixture.lists, 'lantern-demo/wick-3', 'language');
  expect(fixture.models.stats().requests).toBe(2);
  fixture.clock.move(299_000);
  expect((await fixture.lists.current()).ageSeconds).toBe(299);
  fixture.clock.move(1000);
  expect((await fixture.lists.current()).ageSeconds).toBe(0);
  expect(fixture.models.stats().requests).toBe(4);
});

test('unchanged lists give the same snapshot', async () => {
  await using fixture = await startLists();
  const { snapshot } = await fixture.lists.current();
  fixture.clock.move(300_000);
  const { snapshot: second } = await fixture.lists.current();
  expect(fixture.models.stats().requests).toBe(4);
  expect(second).toBe(snapshot);
});

test.for(['500', 'html', 'broken-json', 'wrong-shape', 'cut', '200-error', '401'] as const)(
  'the last good lists are used, with their age, while the upstream gives %s',
  async (name) => {
    await using fixture = await startLists();
    const { snapshot } = await fixture.lists.current();
    fixture.clock.move(400_000);
    fixture.models.setPathFault({ path: '/models', name, times: 1 });
    expect(await fixture.lists.current()).toEqual({ snapshot, ageSeconds: 400 });
    fixture.clock.move(10_000);
    expect((await fixture.lists.current()).ageSeconds).toBe(0);
  },
);

test('the embedding models stay when only their list fails', async () => {
  await using fixture = await startLists();
  await fixture.lists.current();
  fixture.clock.move(300_000);
  fixture.models.setPathFault({ path: '/embeddings/models', name: '500', times: 1 });
  const { snapshot, ageSeconds } = await fixture.lists.current();
  expect([snapshot.embedding.length, ageSeconds]).toEqual([3, 0]);
});

test('if the lists were never read, they are the upstream’s error, and requests still pass', async () => {
  await using fixture = await startLists();
  fixture.models.setPathFault({ path: '/models', name: '500', times: 1 });
  await expect(fixture.lists.current()).rejects.toMatchObject({ status: 502 });
  expect(await requireModel(fixture.lists, 'any/model', 'language')).toBeNull();
  expect(fixture.models.stats().byPath['GET /models']).toBe(1);
});

test('an unknown model is a 404 with the closest name', async () => {
  await using fixture = await startLists();
  const errorOf = (model: string) =>
    requireModel(fixture.lists, model, 'language').catch((error: unknown) => error);
  expect(await errorOf('lantern-demo/wick-4')).toMatchObject({
    status: 404,
    code: 'model_not_found',
    param: 'model',
    message: expect.stringContaining('"lantern-demo/wick-3"'),
  });
  expect(await errorOf('tide-large')).toMatchObject({
    message: expect.stringContaining('Did you mean "harbour-demo/tide-large"'),
  });
  expect(await errorOf('gpt')).toMatchObject({
    message: expect.not.stringContaining('Did you mean'),
  });
  const long = await errorOf('x'.repeat(100_000));
  expect(String(long).length).toBeLessThan(400);
});

test('a model not in AI_MODELS is a 404; one in it need not be listed', async () => {
  await using fixture = await startLists(['lantern-demo/wick-3', 'fault/*']);
  expect((await requireModel(fixture.lists, 'lantern-demo/wick-3', 'language'))?.id).toBe(
    'lantern-demo/wick-3',
  );
  expect(await requireModel(fixture.lists, 'fault/500', 'language')).toBeNull();
  await expect(
    requireModel(fixture.lists, 'lantern-demo/wick-2', 'language'),
  ).rejects.toMatchObject({
    status: 404,
  });
  expect((await fixture.lists.select()).isAllowed('harbour-demo/tide-large')).toBe(false);
});

test('every field that the upstream sent stays, and the total and the link are those of this list', async () => {
  const listed = {
    id: 'a/b',
    object: 'engine',
    default_parameters: { temperature: 1 },
    supported_voices: null,
    architecture: { modality: 'text->text', input_modalities: ['text'], vision: false },
    pricing: { prompt: '0.1', completion: '0.2', web_search: '0.3' },
  };
  const other = { ...listed, id: 'c/d', architecture: { modality: 'text->embeddings' } };
  const upstream = {
    fetchJson: async () => ({ data: [listed, other], total_count: 99, links: { next: '/x' } }),
  };
  const sources = toSources([upstream], Date.now);
  const lists = createModelLists({ sources, allowed: ['a/b', 'c/d'] });
  const { snapshot } = await lists.current();
  expect(toLanguageModelList(snapshot.language, snapshot.hasTotal)).toEqual({
    object: 'list',
    data: [{ ...listed, object: 'model', created: 0, owned_by: 'a' }],
    total_count: 1,
    links: { next: null },
  });
});

test('the fields of an embedding model stay too', () => {
  const [model] =
    readModels({
      data: [
        {
          id: 'c/d',
          supported_voices: ['alto'],
          architecture: { modality: 'text->embeddings', vision: false },
          pricing: { prompt: '0.1', completion: '0', web_search: '0.3' },
          top_provider: { context_length: 5, region: 'eu' },
        },
      ],
    }) ?? [];
  expect(toEmbeddingModelList(model ? [model] : []).data[0]).toMatchObject({
    supported_voices: ['alto'],
    architecture: { modality: 'text->embeddings', vision: false },
    pricing: { prompt: '0.1', completion: '0', web_search: '0.3' },
    top_provider: { context_length: 5, region: 'eu', max_completion_tokens: null },
  });
});

test('a variant of a listed model and a preset are passed on; an unknown suffix is not', async () => {
  await using fixture = await startLists();
  const { lists } = fixture;
  expect((await requireModel(lists, 'lantern-demo/wick-3:online', 'language'))?.id).toBe(
    'lantern-demo/wick-3',
  );
  expect(await requireModel(lists, '@preset/mail', 'language')).toBeNull();
  expect((await requireModel(lists, 'lantern-demo/wick-3@preset/mail', 'language'))?.id).toBe(
    'lantern-demo/wick-3',
  );
  for (const model of ['lantern-demo/wick-3:8b', 'lantern-demo/none:online', 'x@preset/mail']) {
    await expect(requireModel(lists, model, 'language')).rejects.toMatchObject({ status: 404 });
  }
});

test('several lists are merged in order, each id once, and one that fails leaves the others', async () => {
  const clock = createFakeClock();
  const toList = (...ids: string[]) => toLister(...ids.map((id) => ({ id, owned_by: ids.join() })));
  const [first, second] = [toList('a', 'b'), toList('b', 'c')];
  const broken = {
    fetchJson: vi.fn().mockRejectedValue(toUpstreamError({ reason: 'status 500' })),
  };
  const sources = toSources([first, broken, second], clock.now);
  const lists = createModelLists({ sources, allowed: null, now: clock.now });
  const { snapshot } = await lists.current();
  expect(toLanguageModelList(snapshot.language).data).toEqual([
    { id: 'a', object: 'model', created: 0, owned_by: 'a,b' },
    { id: 'b', object: 'model', created: 0, owned_by: 'a,b' },
    { id: 'c', object: 'model', created: 0, owned_by: 'b,c' },
  ]);
  // The upstream whose list was never read may have it.
  expect(await requireModel(lists, 'd', 'language')).toBeNull();
  broken.fetchJson.mockResolvedValue({ data: [{ id: 'd' }] });
  clock.move(10_000);
  expect((await lists.current()).snapshot.language.map(({ id }) => id)).toEqual([
    'a',
    'b',
    'd',
    'c',
  ]);
  await expect(requireModel(lists, 'e', 'language')).rejects.toMatchObject({ status: 404 });
});

test('an upstream that hangs does not keep the lists of the others', async () => {
  const quick = toLister({ id: 'a' });
  const hanging = { fetchJson: () => new Promise<never>(() => {}) };
  const sources = toSources([quick, hanging], Date.now);
  const lists = createModelLists({ sources, allowed: null });
  expect((await lists.current()).snapshot.language.map(({ id }) => id)).toEqual(['a']);
});

test('a request waits for the first list of each upstream, since only that tells its price', async () => {
  const pricing = { prompt: '1', completion: '2' };
  const slowList = Promise.withResolvers<object>();
  const sources = toSources(
    [toLister({ id: 'quick/a', pricing }), { fetchJson: () => slowList.promise }],
    Date.now,
  );
  const lists = createModelLists({ sources, allowed: null, now: Date.now });
  const first = requireModel(lists, 'quick/a', 'language');
  // Whatever needs no more than the quick list has happened by now.
  const isWaiting = await Promise.race([first.then(() => false), nextTurn(true)]);
  expect(isWaiting).toBe(true);
  slowList.resolve({ data: [{ id: 'slow/b', pricing }] });

  const [quick, slow] = await Promise.all([first, requireModel(lists, 'slow/b', 'language')]);

  expect([quick?.id, slow?.id]).toEqual(['quick/a', 'slow/b']);
});

/** A model that the operator defines. */
const fast: ModelSettings = {
  id: 'fast',
  targets: [{ upstream: 'upstream-1', model: 'vendor/small' }],
  aliases: ['cheap'],
  prices: { inputPerMillion: 0.25, outputPerMillion: 2, perRequest: 0 },
};

test('a model that the operator defines has its own id, prices and aliases', async () => {
  const pricing = { prompt: '1', completion: '1' };
  const upstream = toLister({ id: 'vendor/small', name: 'Small', context_length: 8, pricing });
  const sources = toSources([upstream], Date.now, [fast]);
  const lists = createModelLists({ sources, allowed: ['fast'] });
  const { snapshot } = await lists.current();
  expect(toLanguageModelList(snapshot.language).data).toEqual([
    {
      id: 'fast',
      object: 'model',
      created: 0,
      owned_by: 'fast',
      name: 'Small',
      context_length: 8,
      pricing: { prompt: '0.00000025', completion: '0.000002', request: '0' },
    },
  ]);
  expect((await requireModel(lists, 'cheap', 'language'))?.id).toBe('fast');
  expect((await requireModel(lists, 'cheap:nitro', 'language'))?.id).toBe('fast');
  expect((await lists.select()).namesOf('cheap:nitro')).toEqual(['cheap:nitro', 'fast:nitro']);
  expect((await lists.select()).find('cheap')?.prices).toMatchObject({
    input: 0.00000025,
    output: 0.000002,
  });
  await expect(requireModel(lists, 'vendor/small', 'language')).rejects.toMatchObject({
    status: 404,
  });
});

test('the operator’s prices hold, and no more is known, while no list can be read', async () => {
  const sources = toSources([away], Date.now, [fast]);
  const lists = createModelLists({ sources, allowed: null });
  expect((await requireModel(lists, 'cheap', 'language'))?.prices).toMatchObject({
    output: 0.000002,
  });
  expect((await lists.select()).find('fast')?.prices).toMatchObject({ input: 0.00000025 });
  expect(await requireModel(lists, 'other', 'language')).toBeNull();
});

test('a price of less than a millionth of a dollar for a request is a price', async () => {
  const prices = { inputPerMillion: 0, outputPerMillion: 0, perRequest: 0.0000002 };
  const sources = toSources([away], Date.now, [{ ...fast, prices }]);
  const lists = createModelLists({ sources, allowed: null });
  expect((await lists.select()).find('fast')?.prices).toMatchObject({ request: 0.0000002 });
});
