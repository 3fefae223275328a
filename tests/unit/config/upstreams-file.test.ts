import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '#lib/config/config.ts';
import { readDocsText } from '../../support/docs-texts.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

const north = {
  name: 'north',
  url: 'https://north.example/api/v1/',
  keyEnv: 'NORTH_KEY',
  protocols: ['chat', 'responses'],
};
const south = {
  name: 'south',
  url: 'http://127.0.0.1:4000/v1',
  keyFile: '',
  protocols: ['chat'],
  weight: 3,
  requestsPerMinute: 100,
  concurrentRequests: 20,
  timeoutSeconds: { firstByte: 8, idle: 30 },
};
const fast = {
  id: 'fast',
  targets: [{ upstream: 'north', model: 'vendor/small' }, { upstream: 'south' }],
  aliases: ['cheap'],
  prices: { inputPerMillion: 0.2, outputPerMillion: 1 },
};

function load(content: unknown, environment: Readonly<Record<string, string>> = {}) {
  const folder = makeTestFolder();
  const path = join(folder, 'upstreams.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return loadConfig({ AI_UPSTREAMS_FILE: path, NORTH_KEY: 'sk-north-secret', ...environment }).ai
    .upstreams;
}

function problemOf(content: unknown, environment: Readonly<Record<string, string>> = {}): string {
  try {
    load(content, environment);
  } catch (error) {
    if (error instanceof Error && error.name === 'ConfigError') return error.message;
    throw error;
  }
  throw new Error('The file was accepted.');
}

test('upstreams and models are read, with the keys that they name', () => {
  const keyFile = join(makeTestFolder(), 'south-key');
  writeFileSync(keyFile, 'sk-south-secret\n');
  const defaults = {
    auth: 'bearer',
    headers: {},
    extras: {},
    fields: {},
    maxCostUsd: 10,
    trustsLowCost: false,
  };
  expect(load({ upstreams: [north, { ...south, keyFile }], models: [fast] })).toEqual({
    upstreams: [
      {
        ...defaults,
        name: 'north',
        url: 'https://north.example/api/v1',
        key: 'sk-north-secret',
        protocols: ['chat', 'responses'],
        weight: 1,
        timeoutSeconds: {},
      },
      {
        ...defaults,
        name: 'south',
        url: 'http://127.0.0.1:4000/v1',
        key: 'sk-south-secret',
        protocols: ['chat'],
        weight: 3,
        requestsPerMinute: 100,
        concurrentRequests: 20,
        timeoutSeconds: { firstByte: 8, idle: 30 },
      },
    ],
    models: [{ ...fast, prices: { inputPerMillion: 0.2, outputPerMillion: 1, perRequest: 0 } }],
  });
});

test('prices of cached tokens, extras, accepted fields and the highest plausible cost are read', () => {
  const prices = {
    inputPerMillion: 3,
    outputPerMillion: 15,
    cacheReadPerMillion: 0.3,
    cacheWritePerMillion: 3.75,
    cacheWriteHourPerMillion: 6,
    above: { promptTokens: 200_000, inputPerMillion: 6, outputPerMillion: 22.5 },
  };
  const extras = { web_search: { perCall: 0.01 }, priority: { factor: 2 } };
  const read = { extras, maxCostUsd: 3, trustsLowCost: true, accepts: ['developer', 'user'] };
  const file = load({
    upstreams: [{ ...north, ...read }],
    models: [{ id: 'fast', targets: [{ upstream: 'north' }], prices }],
  });
  expect(file?.upstreams[0]).toMatchObject(read);
  expect(file?.models[0]?.prices).toEqual({ ...prices, perRequest: 0 });
});

test('what models take of fields is read, by their ids', () => {
  const fields = {
    '*': { user: false },
    'o-mini': {
      temperature: [],
      reasoning_effort: ['low', 'high'],
      max_tokens: 'max_completion_tokens',
      max_output_tokens: 4096,
    },
  };
  expect(load({ upstreams: [{ ...north, fields }] })?.upstreams[0]?.fields).toEqual({
    '*': { user: [] },
    'o-mini': {
      temperature: [],
      reasoning_effort: ['low', 'high'],
      max_tokens: ['max_completion_tokens'],
      max_output_tokens: ['4096'],
    },
  });
});

test.each([
  [{ fields: [] }, 'upstreams[0].fields must be an object of models.'],
  [
    { fields: { m: { messages: false } } },
    'upstreams[0].fields.m has the unknown field "messages".',
  ],
  [
    { fields: { m: { user: true } } },
    'upstreams[0].fields.m.user must be a list of the values that are taken, or false.',
  ],
  [
    { fields: { m: { max_tokens: 'tokens' } } },
    'upstreams[0].fields.m.max_tokens must be "max_completion_tokens".',
  ],
  [
    { fields: { m: { max_output_tokens: 0 } } },
    'upstreams[0].fields.m.max_output_tokens must be a whole number from 1 to 10000000.',
  ],
])('of fields, %j is rejected', (change, expected) => {
  expectRejected({ upstreams: [{ ...north, ...change }] }, expected);
});

test('the header of the key, further headers, and a query of the URL are read', () => {
  const url = 'https://north.example/openai/?api-version=2024-10-21';
  const headers = { 'X-Team': 'events', 'anthropic-version': '2023-06-01' };
  const file = load({ upstreams: [{ ...north, url, auth: 'API-Key', headers }] });
  expect(file?.upstreams[0]).toMatchObject({
    url: 'https://north.example/openai?api-version=2024-10-21',
    auth: 'api-key',
    headers: { 'x-team': 'events', 'anthropic-version': '2023-06-01' },
  });
});

test.each([
  [{ auth: 'content-length' }, 'upstreams[0].auth must be the name of a header that'],
  [{ auth: 'api key' }, 'upstreams[0].auth must be the name of a header that'],
  [{ headers: { Host: 'x' } }, 'must be the name of a header that the proxy does not write itself'],
  [{ headers: { Authorization: 'x' } }, 'must be the name of a header that'],
  [{ headers: { 'x-team': 'a\r\nb: c' } }, 'must be up to 1000 characters of plain ASCII'],
  [{ headers: { 'x-team': ' a' } }, 'must be up to 1000 characters of plain ASCII'],
  [{ headers: { 'x-team': 5 } }, 'must be up to 1000 characters of plain ASCII'],
  [{ headers: 'x' }, 'upstreams[0].headers must be an object of headers'],
  [{ url: 'https://a:b@north.example/v1' }, 'upstreams[0].url must be an http(s) URL'],
  [{ url: 'https://north.example/v1#a' }, 'upstreams[0].url must be an http(s) URL'],
])('%j is rejected', (change, expected) => {
  expectRejected({ upstreams: [{ ...north, ...change }] }, expected);
});

function expectRejected(content: unknown, expected: string): void {
  const problem = problemOf(content);
  expect(problem).toMatch(/^AI_UPSTREAMS_FILE is "[^"]+": [^\n]+\.$/);
  expect(problem).toContain(expected);
  expect(problem).not.toContain('secret');
}

test.each<[string, unknown, string]>([
  ['text', '{"upstreams": [', 'not valid JSON'],
  ['an array', [], 'it must be an object with `upstreams` and `models`'],
  ['no upstreams', {}, 'upstreams must be a list of upstreams'],
  ['an empty list', { upstreams: [] }, 'upstreams must be a list of at least one'],
  ['an unknown field', { upstreams: [north], model: [] }, 'it has the unknown field "model"'],
  ['a name twice', { upstreams: [north, north] }, 'upstreams[1].name is "north", as that of'],
])('%s is rejected in one line', (_, content, expected) => {
  expectRejected(content, expected);
});

test.each<[object, string]>([
  [{ urll: 'x' }, ' has the unknown field "urll"'],
  [{ timeoutSeconds: { first: 1 } }, '.timeoutSeconds has the unknown field "first"'],
  [{ name: 'North 1' }, '.name must be a name'],
  [{ url: undefined }, '.url must be an http(s)'],
  [{ url: 'https://:word@x.example' }, '.url must be an http(s)'],
  [{ protocols: ['chat', 'grpc'] }, '.protocols[1] must be one of chat, '],
  [{ protocols: [] }, '.protocols must be'],
  [{ keyEnv: undefined }, ' must have either keyEnv or keyFile'],
  [{ keyFile: 'x' }, ' must have either keyEnv or keyFile'],
  [{ keyEnv: 'SOUTH_KEY' }, '.keyEnv is "SOUTH_KEY", which is not set'],
  [{ keyEnv: undefined, keyFile: '/no/key' }, '.keyFile is "/no/key", which cannot be read'],
  [{ weight: -1 }, '.weight must be'],
  [{ maxCostUsd: '10' }, '.maxCostUsd must be a number from 0'],
  [{ trustsLowCost: 'yes' }, '.trustsLowCost must be true or false'],
  [{ credit: { url: north.url } }, '.credit must be false, or an object with `url` and `path`'],
  [
    { credit: { url: north.url, path: 'a b' } },
    '.credit.path must be the path of a number, such as',
  ],
  [
    { credit: { url: 'https://other.example/credits', path: 'left' } },
    '.credit.url must be on the host of its `url`',
  ],
  [{ accepts: ['user', 'temperature'] }, '.accepts[1] must be one of cache_control, developer, '],
])('an upstream with %j is rejected in one line that names the field', (fields, expected) => {
  expectRejected({ upstreams: [{ ...north, ...fields }] }, `upstreams[0]${expected}`);
});

test.each<[object, string]>([
  [{ web_search: {} }, '.web_search must be an object with `perCall` (US dollars), `factor`, or '],
  [{ web_search: { perCall: -1 } }, '.web_search.perCall must be a number from 0'],
  [{ priority: { factor: 0 } }, '.priority.factor must be a number from 0.001'],
  [{ web_search: { perSearch: 1 } }, '.web_search has the unknown field "perSearch"'],
  [
    { 'web search': { perCall: 1 } },
    '.web search must be the name of an extra, such as web_search',
  ],
])('an upstream with the extras %j is rejected in one line', (extras, expected) => {
  expectRejected({ upstreams: [{ ...north, extras }] }, `upstreams[0].extras${expected}`);
});

test.each<[object, string]>([
  [
    { prices: { inputPerMillion: 1, outputPerMillion: 1, cacheRead: 1 } },
    'models[0].prices has the unknown field "cacheRead"',
  ],
  [
    { targets: [{ upstream: 'west' }] },
    'models[0].targets[0].upstream is "west", but there is no upstream of that name',
  ],
  [{ targets: [] }, 'models[0].targets must be a list of at least one target'],
  [
    { targets: [{ upstream: 'north', weight: 1 }, { upstream: 'north' }] },
    'models[0].targets must all have a weight, or none of them',
  ],
])('a model with %j is rejected in one line that names the field', (fields, expected) => {
  expectRejected({ upstreams: [north], models: [{ ...fast, ...fields }] }, expected);
});

test('a model twice is rejected in one line', () => {
  const model = { id: 'a', targets: [{ upstream: 'north' }] };
  const expected = 'models[1].id is "a", as that of another model';
  expectRejected({ upstreams: [north], models: [model, model] }, expected);
});

test.each<[string, Readonly<Record<string, readonly string[]>>, string]>([
  ['itself', { a: ['a'] }, 'the aliases form a loop: a → a'],
  ['each other', { a: ['b'], b: ['a'] }, 'the aliases form a loop: a → b → a'],
  ['a circle of three', { a: ['b'], b: ['c'], c: ['a'] }, 'the aliases form a loop'],
  ['another model', { a: ['b'], b: [] }, '"b" is an alias of "a", and a model itself'],
  ['two models', { a: ['x'], b: ['x'] }, 'models[1].aliases[0] is "x", as another alias'],
])('an alias of %s is rejected', (_, aliases, expected) => {
  const models = Object.entries(aliases).map(([id, own]) => ({
    id,
    aliases: own,
    targets: [{ upstream: 'north' }],
  }));
  expect(problemOf({ upstreams: [north], models })).toContain(expected);
});

test('a file that is not there is rejected with its path', () => {
  expect(() => loadConfig({ AI_UPSTREAMS_FILE: '/no/such/file.json' })).toThrow(
    'AI_UPSTREAMS_FILE is "/no/such/file.json": it cannot be read.',
  );
});

test('the file and the single settings exclude each other', () => {
  const single = { AI_UPSTREAM_URL: 'https://models.example/v1' };
  expect(problemOf({ upstreams: [north] }, single)).toContain('are both set');
});

test('the example of /docs/upstreams is a valid file', () => {
  const example = /```json\n([^`]*"upstreams"[^`]*)```/.exec(readDocsText('upstreams'))?.[1] ?? '';
  const keyFile = join(makeTestFolder(), 'south');
  writeFileSync(keyFile, 'sk-south-secret');
  const file = load(example.replace('/run/secrets/south', keyFile));
  expect(file?.upstreams.map(({ name }) => name)).toEqual(['north', 'south']);
  expect(file?.models.map(({ id }) => id)).toEqual(['fast']);
});
