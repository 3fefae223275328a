import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toAnthropicModel } from '#lib/ai-proxy/models/list-shapes.ts';
import { readModels } from '#lib/ai-proxy/models/model.ts';
import { toFlatPrices, toPrices } from '#lib/spend/prices.ts';

const readModel = (record: object) => readModels({ data: [record] })?.[0];

test('a bare id is enough', () => {
  expect(readModel({ id: 'vendor/name' })).toMatchObject({
    id: 'vendor/name',
    kind: 'language',
    ownedBy: 'vendor',
    created: 0,
    prices: null,
  });
});

test.for([[{ data: [{ id: 'a' }] }], [{ models: [{ id: 'a' }] }], [[{ id: 'a' }]]] as const)(
  '%j is a list',
  ([body]) => {
    expect(readModels(body)?.map(({ id }) => id)).toEqual(['a']);
  },
);

test.for([null, {}, 'x', 7, { data: 'x' }, { data: { id: 'a' } }])('%j is not a list', (body) => {
  expect(readModels(body)).toBeNull();
});

test('duplicate ids are listed once, and invalid records dropped', () => {
  const records = [{ id: 'a', owned_by: 'x' }, null, 7, {}, { id: '' }, { id: 'two words' }];
  const models = readModels({ data: [...records, { id: 'a', owned_by: 'y' }, { id: 'b' }] });
  expect(models?.map(({ id, ownedBy }) => [id, ownedBy])).toEqual([
    ['a', 'x'],
    ['b', 'b'],
  ]);
});

test('an invalid field loses only that field', () => {
  const model = readModel({
    id: 'a',
    created: 'yesterday',
    name: 7,
    context_length: '8k',
    architecture: { output_modalities: 'text', tokenizer: {} },
    pricing: 'cheap',
    supported_parameters: [1],
  });
  expect(model).toMatchObject({ created: 0, kind: 'language', prices: null });
  expect(model?.listed.context_length).toBeNull();
});

test('what a lying server lists is left out, or harms nobody who reads it', () => {
  const model = readModel({
    id: 'a',
    created: Number.MAX_SAFE_INTEGER,
    name: '\u202eda\u001b]0;owned\u0007 <b>A</b>\u2066',
    owned_by: '\u200f\r\n',
    context_length: 1e308,
    pricing: { prompt: 1e300, completion: 'NaN' },
  });
  expect(model).toMatchObject({
    created: 0,
    ownedBy: 'a',
    prices: null,
    listed: { name: 'da ]0;owned  <b>A</b>', context_length: null },
  });
  if (model === undefined) throw new Error('It is not listed.');
  expect(toAnthropicModel(model).created_at).toBe('1970-01-01T00:00:00.000Z');
  expect(readModels({ data: [{ id: 'a\u202e' }, { id: '<b>\u0000' }] })).toEqual([]);
});

test.for([
  [{ id: 'x/embed-1' }, 'embedding'],
  [{ id: 'text-embedding-3-small', owned_by: 'system' }, 'embedding'],
  [{ id: 'x/chat' }, 'language'],
  [{ id: 'x/1', type: 'embedding' }, 'embedding'],
  [{ id: 'x/1', architecture: { output_modalities: ['embeddings'] } }, 'embedding'],
  [{ id: 'x/1', architecture: { modality: 'text->embedding' } }, 'embedding'],
  [{ id: 'x/1', architecture: { modality: 'text+image->text' } }, 'language'],
  [{ id: 'x/1', architecture: { output_modalities: ['image'] } }, 'other'],
  [{ id: 'x/1', architecture: { output_modalities: ['image', 'text'] } }, 'language'],
  [{ id: 'x/embedded-chat', architecture: { output_modalities: ['text'] } }, 'language'],
] as const)('%j has the kind %s', ([record, kind]) => {
  expect(readModel(record)?.kind).toBe(kind);
});

test.for([
  [
    { prompt: '0.0000025', completion: '0.00001' },
    { input: 2.5e-6, output: 1e-5, request: 0 },
  ],
  [
    { prompt: 0.5, completion: 1, request: '0.01' },
    { input: 0.5, output: 1, request: 0.01 },
  ],
  [
    { prompt: '0', completion: '0' },
    { input: 0, output: 0, request: 0 },
  ],
  [{ prompt: '-1', completion: '-1' }, null],
  [{ prompt: '', completion: '1' }, null],
  [{ prompt: 'free', completion: '1' }, null],
  [{ prompt: '1' }, null],
  [{ input: 1, output: 2 }, null],
] as const)('prices %j are %j', ([pricing, prices]) => {
  expect(readModel({ id: 'a', pricing })?.prices ?? null).toEqual(prices && toPrices(prices));
});

test('prices of cached tokens, reasoning, pictures and searches are read where they are listed', () => {
  const pricing = {
    prompt: '1',
    completion: '5',
    input_cache_read: '0.1',
    input_cache_write: '1.2',
    input_cache_write_1h: '1.6',
    internal_reasoning: '6',
    audio: '3',
    input_audio_cache: '0.3',
    audio_output: '8',
    image_token: '1.5',
    image_output: '9',
    image: '0.02',
    web_search: '0.01',
  };
  expect(readModel({ id: 'a', pricing })?.prices).toEqual({
    input: 1,
    output: 5,
    cacheRead: 0.1,
    cacheWrite: 1.2,
    cacheWriteHour: 1.6,
    audio: 3,
    audioCacheRead: 0.3,
    imageToken: 1.5,
    reasoning: 6,
    audioOutput: 8,
    imageOutput: 9,
    request: 0,
    image: 0.02,
    webSearch: 0.01,
  });
});

test.for(['0', '-1', 'free', -1, null])(
  'a price of %j beside the usual ones is unknown',
  (price) => {
    const pricing = {
      prompt: '1',
      completion: '2',
      input_cache_read: price,
      input_cache_write: price,
      input_cache_write_1h: price,
      audio: price,
      input_audio_cache: price,
      audio_output: price,
      image_token: price,
      image_output: price,
      internal_reasoning: price,
      image: price,
      web_search: price,
    };
    expect(readModel({ id: 'a', pricing })?.prices).toEqual({
      input: 1,
      output: 2,
      cacheRead: 1,
      cacheWrite: 1.25,
      cacheWriteHour: 2,
      audio: 1,
      audioCacheRead: 1,
      imageToken: 1,
      reasoning: 2,
      audioOutput: 2,
      imageOutput: 2,
      request: 0,
      image: 0,
      webSearch: 0,
    });
  },
);

test('a model with a negative price of a request has no known prices', () => {
  expect(
    readModel({ id: 'a', pricing: { prompt: '1', completion: '1', request: '-1' } })?.prices,
  ).toBeNull();
});

test('any input gives valid unique ids, and never throws', () => {
  const record = fc.record(
    {
      id: fc.oneof(fc.string(), fc.jsonValue()),
      architecture: fc.jsonValue(),
      pricing: fc.jsonValue(),
      created: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.oneof(record, fc.jsonValue()))), (body) => {
      const ids = readModels(body)?.map(({ id }) => id) ?? [];
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^[!-~]{1,200}$/);
    }),
  );
});

const long = { input: 0.000004, output: 0.000018, cacheRead: 4e-7 };

// genai-prices 625, AutoProver 190; models.dev, pi; sub2api 3986, litellm 29663.
test.each<[string, object]>([
  [
    'OpenRouter',
    {
      pricing: {
        prompt: '0.000002',
        completion: '0.000012',
        input_cache_read: '0.0000002',
        overrides: [
          {
            min_prompt_tokens: 200_000,
            prompt: '0.000004',
            completion: '0.000018',
            input_cache_read: '0.0000004',
          },
          { utc_hours: '0-8', prompt: '0.000001' },
        ],
      },
    },
  ],
  [
    'Vercel',
    {
      pricing: {
        input: '0.000002',
        output: '0.000012',
        input_cache_read: '0.0000002',
        web_search: '10',
        input_tiers: [
          { cost: '0.000002', max: 200_001 },
          { cost: '0.000004', min: 200_001 },
        ],
        output_tiers: [
          { cost: '0.000012', min: 0, max: 200_001 },
          { cost: '0.000018', min: 200_001 },
        ],
        input_cache_read_tiers: [
          { cost: '0.0000002', min: 0, max: 200_001 },
          { cost: '0.0000004', min: 200_001 },
        ],
      },
    },
  ],
  [
    'LiteLLM',
    {
      input_cost_per_token: 2e-6,
      output_cost_per_token: 1.2e-5,
      cache_read_input_token_cost: 2e-7,
      input_cost_per_token_above_128k_tokens: null,
      input_cost_per_token_above_200k_tokens: 4e-6,
      output_cost_per_token_above_200k_tokens: 1.8e-5,
      cache_read_input_token_cost_above_200k_tokens: 4e-7,
      input_cost_per_token_above_200k_tokens_priority: 9e-6,
    },
  ],
])('prices of long prompts are read from a list of %s', (_, record) => {
  const { above, ...flat } = readModel({ id: 'a', ...record })?.prices ?? {};
  expect(flat).toMatchObject({ input: 0.000002, output: 0.000012, cacheRead: 2e-7, webSearch: 0 });
  expect(above).toEqual([{ promptTokens: 200_000, prices: toPrices(long) }]);
});

test('each of several bounds has its prices, also where only one kind changes', () => {
  const tiers = (...costs: string[]) =>
    costs.map((cost, index) => ({ cost, min: [0, 32_001, 128_001][index] }));
  const pricing = {
    input: '0.000001',
    output: '0.000005',
    input_tiers: tiers('0.000001', '0.000002', '0.000003'),
    output_tiers: tiers('0.000005', '0.000005', '0.000015'),
  };
  const prices = readModel({ id: 'a', pricing })?.prices ?? toPrices({ input: 0, output: 0 });
  const costs = [32_000, 32_001, 128_000, 128_001].map((tokens) => {
    const { input, output } = toFlatPrices(prices, tokens);
    return [input, output];
  });
  expect(costs).toEqual([
    [0.000001, 0.000005],
    [0.000002, 0.000005],
    [0.000002, 0.000005],
    [0.000003, 0.000015],
  ]);
});

test('a model whose long prompts have no known price has none', () => {
  const overrides = [{ min_prompt_tokens: 1000, prompt: '-1' }];
  const pricing = { prompt: '0.000002', completion: '0.000012', overrides };
  expect(readModel({ id: 'a', pricing })?.prices).toBeNull();
});
