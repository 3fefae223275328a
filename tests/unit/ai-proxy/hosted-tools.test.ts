import { describe, expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { forTests } from '../../support/for-tests.ts';
import { startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { type Script, toPricing } from '../../support/upstreams/billing-upstream.ts';

/** 100 tokens in and 10 out at $1 and $10 a million: 0.0002 dollars. */
const counts = { input: 100, output: 10 };
const extras = {
  web_search: { perCall: 0.01 },
  file_search: { perCall: 0.0025 },
  code_interpreter: { perCall: 0.03 },
  code_execution: { perCall: 0.05 },
  image_generation: { perCall: 0.04 },
  x_search: { perCall: 0.005 },
};
const scripts = new Map<string, Script>();
let modelCount = 0;

function startPriced(settings: object) {
  return startBilledProxy({
    models: Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`m/${index}`, { pricing: toPricing(1, 10) }]),
    ),
    toScript: ({ model }) => scripts.get(model) ?? { reply: { counts } },
    settings,
  });
}

function makeModel(script: Script): string {
  modelCount += 1;
  scripts.set(`m/${modelCount}`, script);
  return `m/${modelCount}`;
}

const inDollars = { budget: parseBudget('5 USD/day') };
const searchOf = (action?: object) => ({
  type: 'web_search_call',
  id: `ws_${JSON.stringify(action)}`,
  status: 'completed',
  ...(action && { action }),
});
const search = { ...searchOf({ type: 'search', query: 'x' }) };
const openPage = searchOf({ type: 'open_page', url: 'https://example.org' });
const callOf = (type: string, status = 'completed') => ({ type, id: `id_${type}`, status });
const blockOf = (name: string) => ({ type: 'server_tool_use', id: `srv_${name}`, name, input: {} });
const twice = (item: { id: string }) => [item, { ...item, id: `${item.id}_2` }];

const codex = { tools: [{ type: 'web_search', external_web_access: true }], tool_choice: 'auto' };
const claude = {
  tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }],
};
type Done = Readonly<{
  hosted?: readonly JsonObject[];
  usage?: JsonObject;
  nanoUsd: number;
}>;

const responsesCases: readonly (readonly [string, JsonObject, Done])[] = [
  ['no search', codex, { nanoUsd: 200_000 }],
  [
    'three searches',
    codex,
    { hosted: [search, ...twice({ ...search, id: 'ws_x' })], nanoUsd: 30_200_000 },
  ],
  [
    'a search, and a page that is opened',
    codex,
    { hosted: [search, openPage], nanoUsd: 10_200_000 },
  ],
  ['a search of which nothing is told', codex, { hosted: [searchOf()], nanoUsd: 10_200_000 }],
  ['a search that failed', codex, { hosted: [{ ...search, status: 'failed' }], nanoUsd: 200_000 }],
  [
    'more searches than were allowed',
    { ...codex, max_tool_calls: 1 },
    { hosted: twice(search), nanoUsd: 10_200_000 },
  ],
  [
    'a search of files, and one of the web',
    { tools: [{ type: 'file_search' }, { type: 'web_search_preview' }] },
    { hosted: [callOf('file_search_call'), search], nanoUsd: 12_700_000 },
  ],
  [
    'a program and two pictures',
    {
      tools: [
        { type: 'code_interpreter', container: { type: 'auto' } },
        { type: 'image_generation' },
      ],
    },
    {
      hosted: [callOf('code_interpreter_call'), ...twice(callOf('image_generation_call'))],
      nanoUsd: 110_200_000,
    },
  ],
  [
    'tools that xAI counts, and does not show',
    { tools: [{ type: 'x_search' }] },
    { usage: { server_side_tool_usage_details: { x_search_calls: 2 } }, nanoUsd: 10_200_000 },
  ],
  [
    'a tool of which nothing is told',
    { tools: [{ type: 'x_search' }], max_tool_calls: 4 },
    { nanoUsd: 20_200_000 },
  ],
  [
    'fewer searches than are shown, as Qwen counts them',
    codex,
    {
      hosted: twice(search),
      usage: { x_tools: { web_search: { count: 1 } } },
      nanoUsd: 10_200_000,
    },
  ],
  [
    'a call of the client’s own function',
    { tools: [{ type: 'function', name: 'f', parameters: {} }, ...codex.tools] },
    {
      hosted: [{ ...callOf('function_call'), call_id: 'c', name: 'f', arguments: '{}' }],
      nanoUsd: 200_000,
    },
  ],
];

const messagesCases: readonly (readonly [string, JsonObject, Done])[] = [
  ['no search', claude, { nanoUsd: 200_000 }],
  [
    'two searches that are counted',
    claude,
    { usage: { server_tool_use: { web_search_requests: 2 } }, nanoUsd: 20_200_000 },
  ],
  [
    'two searches that are shown',
    claude,
    { hosted: twice(blockOf('web_search')), nanoUsd: 20_200_000 },
  ],
  [
    'a search that is shown, and not charged',
    claude,
    {
      hosted: [blockOf('web_search')],
      usage: { server_tool_use: { web_search_requests: 0 } },
      nanoUsd: 200_000,
    },
  ],
  [
    'more searches than were allowed',
    claude,
    { usage: { server_tool_use: { web_search_requests: 1000 } }, nanoUsd: 50_200_000 },
  ],
];

describe.each([
  ['Responses', responsesPath, { input: 'Hello' }, responsesCases],
  [
    'Messages',
    messagesPath,
    { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 50 },
    messagesCases,
  ],
] as const)('what %s settles', (_, path, prompt, cases) => {
  const billed = forTests(() => startPriced({ extras }));

  test.each(cases)('%s', async (_name, fields, { hosted = [], usage = {}, nanoUsd }) => {
    const reply = { counts, hosted, report: (own: JsonObject) => ({ ...own, ...usage }) };
    const model = makeModel({ reply });
    for (const stream of [false, true]) {
      for (const limits of [inDollars, {}]) {
        const body = { model, stream, ...prompt, ...fields };
        expect(await billed.costOf(path, body, limits)).toEqual({ status: 200, nanoUsd });
      }
    }
  });
});

test.each([
  ['Responses', responsesPath, codex, [search, { ...search, id: 'ws_2' }]],
  ['Messages', messagesPath, claude, twice(blockOf('web_search'))],
] as const)(
  'a stream of %s that breaks settles the searches that it has shown',
  async (_, path, fields, hosted) => {
    await using billed = await startPriced({ extras });
    const model = makeModel({ reply: { counts, hosted }, outcome: 'broke' });
    const key = await billed.proxy.makeKey(inDollars);
    const prompt = {
      input: 'Hello',
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: 50,
    };
    const { input, ...ofMessages } = prompt;
    const body = {
      model,
      stream: true,
      ...(path === responsesPath ? { input } : ofMessages),
      ...fields,
    };
    await (await billed.proxy.post(path, key.text, body)).bytes();
    await expect.poll(async () => (await billed.chargeOf(key)).records).toBe(1);
    const { nanoUsd } = await billed.chargeOf(key);
    // Two searches, and a few estimated tokens: not ten.
    expect(nanoUsd).toBeGreaterThanOrEqual(20_000_000);
    expect(nanoUsd).toBeLessThan(20_500_000);
  },
);

const f = { type: 'function', name: 'f', parameters: { type: 'object' } };
/** What a request offers of tools; undefined is what is not there. */
const toOffered = ({ tools, tool_choice, parallel_tool_calls, input }: JsonObject) => ({
  tools,
  tool_choice,
  parallel_tool_calls,
  input: toJsonArray(input)
    .map(toJsonObject)
    .flatMap(({ tools: brought }) => brought ?? []),
});
const brought = (...tools: object[]) => ({
  input: [
    { role: 'user', content: 'Hello' },
    { type: 'additional_tools', tools },
  ],
});
const say = { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 50 };
const ask = { input: 'Hello' };
const webSearch = { type: 'web_search' };
const bash = { name: 'run', input_schema: { type: 'object' } };

describe('without a price', () => {
  const billed = forTests(() => startPriced({}));
  const send = async (path: string, limits: object, body: object) => {
    const model = makeModel({ reply: { counts } });
    const key = await billed.proxy.makeKey(limits);
    const before = billed.upstream.requests.length;
    const response = await billed.proxy.post(path, key.text, { model, ...body });
    const text = await response.text();
    return {
      key,
      text,
      status: response.status,
      leftOut: response.headers.get('x-marquee-left-out'),
      sent: billed.upstream.requests.slice(before),
    };
  };

  test.each<[string, string, object, object, string]>([
    [
      'Codex’s search',
      responsesPath,
      { ...ask, ...codex, tools: [f, ...codex.tools], parallel_tool_calls: false },
      { tools: [f], tool_choice: 'auto', parallel_tool_calls: false },
      'web_search',
    ],
    [
      'the only tool',
      responsesPath,
      { ...ask, ...codex, parallel_tool_calls: false },
      {},
      'web_search',
    ],
    [
      'two kinds of tools',
      responsesPath,
      {
        ...ask,
        tools: [
          { type: 'mcp', server_label: 'x', server_url: 'https://example.org' },
          f,
          { type: 'web_search_preview_2025_03_11' },
        ],
      },
      { tools: [f] },
      'mcp, web_search',
    ],
    [
      'a tool in an item of the conversation',
      responsesPath,
      brought(f, { type: 'image_generation' }),
      brought(f),
      'image_generation',
    ],
    [
      'all tools of an item',
      responsesPath,
      brought({ type: 'namespace', name: 'n', tools: [webSearch] }),
      {},
      'web_search',
    ],
    [
      'one where another is demanded',
      responsesPath,
      { ...ask, tools: [f, webSearch], tool_choice: { type: 'function', name: 'f' } },
      { tools: [f], tool_choice: { type: 'function', name: 'f' } },
      'web_search',
    ],
    [
      'one where any is demanded, and others are left',
      responsesPath,
      { ...ask, tools: [f, webSearch], tool_choice: 'required' },
      { tools: [f], tool_choice: 'required' },
      'web_search',
    ],
    [
      'one of those that are allowed',
      responsesPath,
      {
        ...ask,
        tools: [f, webSearch],
        tool_choice: {
          type: 'allowed_tools',
          mode: 'auto',
          tools: [webSearch, { type: 'function', name: 'f' }],
        },
      },
      {
        tools: [f],
        tool_choice: {
          type: 'allowed_tools',
          mode: 'auto',
          tools: [{ type: 'function', name: 'f' }],
        },
      },
      'web_search',
    ],
    [
      'the only one that is allowed',
      responsesPath,
      {
        ...ask,
        tools: [f, webSearch],
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [webSearch] },
      },
      { tools: [f], tool_choice: 'none' },
      'web_search',
    ],
    [
      'a kind that nobody knows',
      responsesPath,
      { ...ask, tools: [{ type: 'ray\r\ncaster é' }, f] },
      { tools: [f] },
      'ray_caster_',
    ],
    [
      'Claude’s search',
      messagesPath,
      { ...say, tools: [bash, ...claude.tools] },
      { tools: [bash] },
      'web_search',
    ],
    [
      'Claude’s search beside a choice',
      messagesPath,
      { ...say, tools: [bash, ...claude.tools], tool_choice: { type: 'auto' } },
      { tools: [bash], tool_choice: { type: 'auto' } },
      'web_search',
    ],
    [
      'a search of Gemini beside a function',
      chatPath,
      { ...say, tools: [{ type: 'function', function: { name: 'x' }, google_search: {} }] },
      { tools: [{ type: 'function', function: { name: 'x' } }] },
      'google_search',
    ],
  ])('%s is left out under a budget in dollars, and named', async (_, path, body, sent, names) => {
    for (const stream of [false, true]) {
      const result = await send(path, inDollars, { ...body, stream });
      expect(result.status).toBe(200);
      expect(result.leftOut).toBe(names);
      expect(result.sent.map(toOffered)).toEqual([toOffered({ ...sent })]);
    }
    const free = await send(path, { tokensPerDay: 1_000_000 }, body);
    expect([free.status, free.leftOut]).toEqual([200, null]);
    expect(free.sent.map(toOffered)).toEqual([toOffered({ ...body })]);
  });

  test.each<[string, string, object]>([
    [
      'by its type',
      responsesPath,
      { ...ask, tools: [f, webSearch], tool_choice: { type: 'web_search' } },
    ],
    [
      'by its earlier type',
      responsesPath,
      {
        ...ask,
        tools: [f, { type: 'web_search_preview' }],
        tool_choice: { type: 'web_search_preview_2025_03_11' },
      },
    ],
    ['as the only one', responsesPath, { ...ask, tools: [webSearch], tool_choice: 'required' }],
    [
      'as the only one that is allowed',
      responsesPath,
      {
        ...ask,
        tools: [f, webSearch],
        tool_choice: { type: 'allowed_tools', mode: 'required', tools: [webSearch] },
      },
    ],
    [
      'by its name',
      messagesPath,
      { ...say, tools: [bash, ...claude.tools], tool_choice: { type: 'tool', name: 'web_search' } },
    ],
    [
      'as the only one of Messages',
      messagesPath,
      { ...say, ...claude, tool_choice: { type: 'any' } },
    ],
    ['as a plugin', chatPath, { ...say, plugins: [{ id: 'web' }] }],
  ])('one that is demanded %s is a 400', async (_, path, body) => {
    const { status, text, leftOut, sent } = await send(path, inDollars, body);
    expect([status, leftOut, sent]).toEqual([400, null, []]);
    expect(text).toContain('has no price here');
  });

  test('a line of the log tells it once for each key', async () => {
    const model = makeModel({ reply: { counts } });
    const keys = [await billed.proxy.makeKey(inDollars), await billed.proxy.makeKey(inDollars)];
    const count = () => billed.proxy.logText().match(/tool_without_price/g)?.length ?? 0;
    const before = count();
    for (const key of [...keys, ...keys]) {
      const body = { model, ...ask, ...codex };
      await (await billed.proxy.post(responsesPath, key.text, body)).bytes();
    }
    expect(count() - before).toBe(2);
  });
});
