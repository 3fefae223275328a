import { describe, expect, onTestFinished, test } from 'vitest';
import {
  messagesPath,
  responsesPath,
  startProxyWith,
} from '../../support/servers/in-process-proxy.ts';
import { startMarqueeInProcess } from '../../support/servers/marquee-server.ts';
import { startAccount } from '../../support/upstreams/account-upstream.ts';

type Item = Readonly<Record<string, unknown>>;

/** Two accounts behind one model, and two processes that share a database. */
async function start(weights: readonly [number, number] = [1, 1]) {
  const accounts = [await startAccount('north'), await startAccount('south')] as const;
  const upstreams = accounts.map(({ url }, index) => ({
    name: index === 0 ? 'north' : 'south',
    url,
    keyEnv: 'UPSTREAM_KEY',
    protocols: ['chat', 'responses', 'messages'],
    weight: weights[index],
  }));
  const proxy = await startProxyWith({ upstreams });
  const other = await startMarqueeInProcess(proxy.settings);
  onTestFinished(async () => {
    await other.stop();
    await proxy[Symbol.asyncDispose]();
    for (const account of accounts) await account[Symbol.asyncDispose]();
  });
  const post = async (path: string, body: object, headers: object = {}, server = proxy.url) =>
    fetch(server + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${proxy.key}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ model: 'm/one', ...body }),
    });
  return {
    accounts,
    proxy,
    other,
    post,
    counts: () => accounts.map(({ requests }) => requests.length),
  };
}

const messages = [{ role: 'user', content: 'Hello' }];

const named: [client: string, headers: (id: string) => object, body: (id: string) => object][] = [
  ['Codex', (id) => ({ 'session-id': id, originator: 'codex_exec' }), () => ({})],
  ['Claude Code', (id) => ({ 'x-claude-code-session-id': id }), () => ({})],
  ['opencode', (id) => ({ 'x-session-id': id, 'user-agent': 'opencode/1' }), () => ({})],
  ['prompt_cache_key', () => ({}), (id) => ({ prompt_cache_key: id })],
  ['user', () => ({}), (id) => ({ user: id })],
];

test.each(named)(
  'a conversation of %s stays on one account, in every process',
  async (_, headers, body) => {
    const { accounts, post, other, proxy } = await start();
    const used = new Set<number>();
    for (let id = 0; id < 12; id++) {
      const before = accounts.map((account) => account.requests.length);
      for (const server of [proxy.url, other.url, proxy.url]) {
        const request = { input: 'Hello', ...body(`c${id}`) };
        expect((await post(responsesPath, request, headers(`c${id}`), server)).status).toBe(200);
      }
      const asked = accounts.map((account, at) => account.requests.length - (before[at] ?? 0));
      expect(asked.toSorted()).toEqual([0, 3]);
      used.add(asked.indexOf(3));
    }
    // 1 in 2048 that all are on one.
    expect(used.size).toBe(2);
  },
);

test('conversations are divided by weight, and requests without one are drawn anew', async () => {
  const { counts, post } = await start([3, 1]);
  for (let id = 0; id < 80; id++) {
    await post(responsesPath, { input: 'Hello', prompt_cache_key: `c${id}` });
  }
  const [north = 0, south = 0] = counts();
  expect(north + south).toBe(80);
  expect(north).toBeGreaterThan(45);
  expect(south).toBeGreaterThan(5);
});

test('a conversation moves on when its account fails, and back without what the other one wrote', async () => {
  const { accounts, post } = await start();
  const turn = async (input: unknown) => {
    const response = await post(responsesPath, { input, prompt_cache_key: 'c1' });
    expect(response.status).toBe(200);
    return (await response.json()).output as Item[];
  };
  const first = await turn('Hello');
  const home = accounts[0].requests.length === 1 ? 0 : 1;
  const away = home === 0 ? 1 : 0;
  accounts[home].setDown(true);
  const question = { type: 'message', role: 'user', content: 'And?' };
  const second = await turn([question, ...first, question]);
  // What is foreign was left out at once.
  expect(accounts[away].requests).toHaveLength(1);
  expect(JSON.stringify(accounts[away].requests)).not.toContain('encrypted_content":"');

  accounts[home].setDown(false);
  await turn([question, ...first, question, ...second, question]);
  // It stays where its newest reasoning can be read.
  expect(accounts[away].requests).toHaveLength(2);
  const sent = accounts[away].requests[1]?.input as Item[];
  expect(sent.filter(({ type }) => type === 'reasoning')).toMatchObject([
    { encrypted_content: away === 0 ? 'enc-north' : 'enc-south' },
  ]);
});

describe.each([false, true])('with stream: %s', (stream) => {
  test('twenty second turns of Responses with encrypted reasoning succeed', async () => {
    const { accounts, post, counts } = await start();
    for (let turn = 0; turn < 20; turn++) {
      const response = await post(responsesPath, { input: 'Hello', stream });
      const output = await readOutput(response, stream);
      const input = [...messages, ...output, { role: 'user', content: 'And?' }];
      const before = counts();
      expect((await post(responsesPath, { input, stream })).status).toBe(200);
      // Without a repeat.
      expect(sum(counts()) - sum(before)).toBe(1);
    }
    for (const { requests } of accounts) expect(requests.length).toBeGreaterThan(0);
  });

  test('twenty second turns of Messages with thinking succeed, and the account gets its own signature', async () => {
    const { accounts, post, counts } = await start();
    const thinking = { type: 'adaptive' };
    const base = { max_tokens: 500, stream, thinking };
    for (let turn = 0; turn < 20; turn++) {
      const content = await readContent(await post(messagesPath, { ...base, messages }), stream);
      expect(content.map(({ type }) => type)).toEqual(['thinking', 'redacted_thinking', 'text']);
      const next = [...messages, { role: 'assistant', content }, ...messages];
      const before = counts();
      expect((await post(messagesPath, { ...base, messages: next })).status).toBe(200);
      expect(sum(counts()) - sum(before)).toBe(1);
    }
    const signed = accounts
      .flatMap(({ requests }) => requests)
      .map((request) => JSON.stringify(request));
    expect(signed.filter((text) => text.includes('"signature":"enc-'))).toHaveLength(20);
  });
});

test('reasoning of an account that is no more is left out when it is rejected', async () => {
  const { post, counts } = await start();
  const foreign = { type: 'reasoning', id: 'rs_0', summary: [], encrypted_content: 'enc-former' };
  const call = { type: 'function_call', id: 'fc_0', call_id: 'call_0', name: 'f', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'call_0', output: 'done' };
  expect((await post(responsesPath, { input: [foreign, call, output] })).status).toBe(200);
  expect(sum(counts())).toBe(2);

  const content = [
    { type: 'thinking', thinking: 'Hm.', signature: 'enc-former' },
    { type: 'tool_use', id: 'call_0', name: 'f', input: {} },
  ];
  const result = { type: 'tool_result', tool_use_id: 'call_0', content: 'done' };
  const history = [
    ...messages,
    { role: 'assistant', content },
    { role: 'user', content: [result] },
  ];
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  const request = { max_tokens: 5000, thinking, messages: history };
  expect((await post(messagesPath, request)).status).toBe(200);
  expect(sum(counts())).toBe(4);
});

test('a call without its reasoning has no id that the account would know, and no thinking that must begin it', async () => {
  const { accounts, post } = await start();
  const mark = 'mq2.ffffffffffff.enc-former';
  const foreign = { type: 'reasoning', id: 'rs_0', summary: [], encrypted_content: mark };
  const call = { type: 'function_call', id: 'fc_0', call_id: 'call_0', name: 'f', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'call_0', output: 'done' };
  await post(responsesPath, { input: [foreign, call, output] });
  const content = [
    { type: 'redacted_thinking', data: mark },
    { type: 'tool_use', id: 'call_0', name: 'f', input: {} },
  ];
  const result = { type: 'tool_result', tool_use_id: 'call_0', content: 'done' };
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  const history = [
    ...messages,
    { role: 'assistant', content },
    { role: 'user', content: [result] },
  ];
  await post(messagesPath, { max_tokens: 5000, thinking, messages: history });

  const sent = accounts.flatMap(({ requests }) => requests);
  expect(sent).toHaveLength(2);
  const { id: _, ...withoutId } = call;
  expect(sent.find(({ input }) => input !== undefined)?.input).toEqual([withoutId, output]);
  const message = sent.find((body) => body.messages !== undefined);
  expect(message).not.toHaveProperty('thinking');
  expect(message?.messages).toMatchObject([{}, { content: [{ type: 'tool_use' }] }, {}]);
});

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

async function readEvents(response: Response): Promise<Item[]> {
  const text = await response.text();
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)));
}

async function readOutput(response: Response, isStream: boolean): Promise<Item[]> {
  if (!isStream) return (await response.json()).output;
  const events = await readEvents(response);
  const items = events
    .filter(({ type }) => type === 'response.output_item.done')
    .map(({ item }) => item);
  const last = events.at(-1)?.response as Item;
  expect(last.output).toEqual(items);
  return last.output as Item[];
}

async function readContent(response: Response, isStream: boolean): Promise<Item[]> {
  if (!isStream) return (await response.json()).content;
  const blocks: Record<string, unknown>[] = [];
  for (const { type, index, content_block: block, delta } of await readEvents(response)) {
    if (type === 'content_block_start') blocks[Number(index)] = { ...(block as Item) };
    if (type !== 'content_block_delta') continue;
    for (const [name, piece] of Object.entries(delta as Item)) {
      const target = blocks[Number(index)];
      if (name !== 'type' && target !== undefined) target[name] = `${target[name] ?? ''}${piece}`;
    }
  }
  return blocks;
}
