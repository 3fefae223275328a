import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '#lib/config/config.ts';
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
  expect(load({ upstreams: [north, { ...south, keyFile }], models: [fast] })).toEqual({
    upstreams: [
      {
        name: 'north',
        url: 'https://north.example/api/v1',
        key: 'sk-north-secret',
        extras: {},
        maxCostUsd: 10,
        protocols: ['chat', 'responses'],
        weight: 1,
        timeoutSeconds: {},
      },
      {
        name: 'south',
        url: 'http://127.0.0.1:4000/v1',
        key: 'sk-south-secret',
        extras: {},
        maxCostUsd: 10,
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
  };
  const extras = { web_search: { perCall: 0.01 }, priority: { factor: 2 } };
  const file = load({
    upstreams: [{ ...north, extras, maxCostUsd: 3, accepts: ['developer', 'user'] }],
    models: [{ id: 'fast', targets: [{ upstream: 'north' }], prices }],
  });
  const accepts = ['developer', 'user'];
  expect(file?.upstreams[0]).toMatchObject({ extras, maxCostUsd: 3, accepts });
  expect(file?.models[0]?.prices).toEqual({ ...prices, perRequest: 0 });
});

test.each<[string, unknown, string]>([
  ['text', '{"upstreams": [', 'not valid JSON'],
  ['an array', [], 'it must be an object with `upstreams` and `models`'],
  ['no upstreams', {}, 'upstreams must be a list of upstreams'],
  ['an empty list', { upstreams: [] }, 'upstreams must be a list of at least one'],
  ['an unknown field', { upstreams: [north], model: [] }, 'it has the unknown field "model"'],
  [
    'an unknown field of an upstream',
    { upstreams: [{ ...north, urll: 'x' }] },
    'upstreams[0] has the unknown field "urll"',
  ],
  [
    'an unknown time-out',
    { upstreams: [{ ...north, timeoutSeconds: { first: 1 } }] },
    'upstreams[0].timeoutSeconds has the unknown field "first"',
  ],
  [
    'a bad name',
    { upstreams: [{ ...north, name: 'North 1' }] },
    'upstreams[0].name must be a name',
  ],
  ['no URL', { upstreams: [{ ...north, url: undefined }] }, 'upstreams[0].url must be an http(s)'],
  [
    'a URL with a password',
    { upstreams: [{ ...north, url: 'https://:word@x.example' }] },
    'upstreams[0].url must be an http(s)',
  ],
  [
    'an unknown protocol',
    { upstreams: [{ ...north, protocols: ['chat', 'grpc'] }] },
    'upstreams[0].protocols[1] must be one of chat, ',
  ],
  ['no protocol', { upstreams: [{ ...north, protocols: [] }] }, 'upstreams[0].protocols must be'],
  [
    'no key',
    { upstreams: [{ ...north, keyEnv: undefined }] },
    'must have either keyEnv or keyFile',
  ],
  ['two keys', { upstreams: [{ ...north, keyFile: 'x' }] }, 'must have either keyEnv or keyFile'],
  [
    'a variable that is not set',
    { upstreams: [{ ...north, keyEnv: 'SOUTH_KEY' }] },
    'upstreams[0].keyEnv is "SOUTH_KEY", which is not set',
  ],
  [
    'a key file that is not there',
    { upstreams: [{ ...north, keyEnv: undefined, keyFile: '/no/such/key' }] },
    'upstreams[0].keyFile is "/no/such/key", which cannot be read',
  ],
  [
    'a name twice',
    { upstreams: [north, north] },
    'upstreams[1].name is "north", as that of another',
  ],
  ['a negative weight', { upstreams: [{ ...north, weight: -1 }] }, 'upstreams[0].weight must be'],
  [
    'an extra without a price',
    { upstreams: [{ ...north, extras: { web_search: {} } }] },
    'upstreams[0].extras.web_search must be an object with `perCall` (US dollars), `factor`, or both',
  ],
  [
    'a negative price of an extra',
    { upstreams: [{ ...north, extras: { web_search: { perCall: -1 } } }] },
    'upstreams[0].extras.web_search.perCall must be a number from 0',
  ],
  [
    'a factor that makes an extra cheaper',
    { upstreams: [{ ...north, extras: { priority: { factor: 0.5 } } }] },
    'upstreams[0].extras.priority.factor must be a number from 1',
  ],
  [
    'an unknown field of an extra',
    { upstreams: [{ ...north, extras: { web_search: { perSearch: 1 } } }] },
    'upstreams[0].extras.web_search has the unknown field "perSearch"',
  ],
  [
    'a bad name of an extra',
    { upstreams: [{ ...north, extras: { 'web search': { perCall: 1 } } }] },
    'upstreams[0].extras.web search must be the name of an extra, such as web_search',
  ],
  [
    'a highest cost that is no number',
    { upstreams: [{ ...north, maxCostUsd: '10' }] },
    'upstreams[0].maxCostUsd must be a number from 0',
  ],
  [
    'an optional field that no translation writes',
    { upstreams: [{ ...north, accepts: ['user', 'temperature'] }] },
    'upstreams[0].accepts[1] must be one of cache_control, developer, metadata',
  ],
  [
    'an unknown price',
    {
      upstreams: [north],
      models: [{ ...fast, prices: { inputPerMillion: 1, outputPerMillion: 1, cacheRead: 1 } }],
    },
    'models[0].prices has the unknown field "cacheRead"',
  ],
  [
    'an unknown upstream',
    { upstreams: [north], models: [{ ...fast, targets: [{ upstream: 'west' }] }] },
    'models[0].targets[0].upstream is "west", but there is no upstream of that name',
  ],
  [
    'no target',
    { upstreams: [north], models: [{ ...fast, targets: [] }] },
    'models[0].targets must be a list of at least one target',
  ],
  [
    'a weight for one target only',
    {
      upstreams: [north],
      models: [{ id: 'a', targets: [{ upstream: 'north', weight: 1 }, { upstream: 'north' }] }],
    },
    'models[0].targets must all have a weight, or none of them',
  ],
  [
    'a model twice',
    {
      upstreams: [north],
      models: [
        { id: 'a', targets: [{ upstream: 'north' }] },
        { id: 'a', targets: [{ upstream: 'north' }] },
      ],
    },
    'models[1].id is "a", as that of another model',
  ],
])('%s is rejected in one line that names the field', (_, content, expected) => {
  const problem = problemOf(content);
  expect(problem).toMatch(/^AI_UPSTREAMS_FILE is "[^"]+": [^\n]+\.$/);
  expect(problem).toContain(expected);
  expect(problem).not.toContain('secret');
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
  const problem = problemOf(
    { upstreams: [north] },
    { AI_UPSTREAM_URL: 'https://models.example/v1' },
  );
  expect(problem).toContain('are both set');
});

test('the example of the README is a valid file', () => {
  const readme = readFileSync(`${import.meta.dirname}/../../../README.md`, 'utf8');
  const example = /```json\n([^`]*"upstreams"[^`]*)```/.exec(readme)?.[1] ?? '';
  const keyFile = join(makeTestFolder(), 'south');
  writeFileSync(keyFile, 'sk-south-secret');
  const file = load(example.replace('/run/secrets/south', keyFile));
  expect(file?.upstreams.map(({ name }) => name)).toEqual(['north', 'south']);
  expect(file?.models.map(({ id }) => id)).toEqual(['fast']);
});
