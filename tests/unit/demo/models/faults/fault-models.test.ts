import { expect, test } from 'vitest';
import { faultCanary } from '#lib/demo/airtable/faults.ts';
import { faultTable } from '#lib/demo/models/faults/fault-models.ts';
import { faultResponses } from '#lib/demo/models/faults/fault-responses.ts';
import { chatOf, openModelServer, post } from '../open-model-server.ts';

const prompt = 'Tell me of Lisbon';

async function askChat(model: string, isStream: boolean, init: RequestInit = {}) {
  const server = await openModelServer();
  const response = await post(server, '/chat/completions', chatOf(model, prompt, isStream), init);
  return { server, response };
}

async function textOf(model: string, isStream = true): Promise<string> {
  return (await askChat(model, isStream)).response.text();
}

const expected = new Map([
  ['html', 200],
  ['200-error', 200],
  ['200-429', 200],
  ['broken-json', 200],
  ['wrong-shape', 200],
  ['empty', 200],
  ['gzip', 200],
]);

test.for(Object.keys(faultResponses))(
  'fault/%s is the same response, streamed or not',
  async (name) => {
    for (const isStream of [true, false]) {
      const { response } = await askChat(`fault/${name}`, isStream);
      expect(response.status).toBe(expected.get(name) ?? Number(name.slice(0, 3)));
      if (name === 'gzip') await expect(response.text()).rejects.toThrow();
      else if (!['204', '302', 'empty', '503', '429-wait', '429-short'].includes(name)) {
        expect(await response.text()).toContain(faultCanary);
      }
    }
  },
);

test('every response has the canary where no client may see it: headers and reason phrase', async () => {
  const { response } = await askChat('lantern-demo/wick-3', false);
  expect(response.headers.get('openai-organization')).toContain(faultCanary);
  expect(response.headers.get('set-cookie')).toContain(faultCanary);
  expect(response.statusText).toContain(faultCanary);
});

test.for(['fault/hang', 'fault/hang-headers', 'fault/hang-mid-stream'])(
  '%s never ends, and closes with its client',
  async (model) => {
    for (const isStream of [true, false]) {
      const { server, response } = await askChat(model, isStream, {
        signal: AbortSignal.timeout(150),
      }).catch(() => ({ server: null, response: null }));
      if (model === 'fault/hang') expect(response).toBeNull();
      await expect(response?.text() ?? Promise.reject(new Error('timeout'))).rejects.toThrow();
      if (server) await expect.poll(() => server.stats().openRequests).toBe(0);
    }
  },
);

test('fault/reset breaks the connection, fault/cut does so in the middle of a frame', async () => {
  await expect(askChat('fault/reset', true)).rejects.toThrow();
  for (const isStream of [true, false]) {
    const { response } = await askChat('fault/cut', isStream);
    expect(response.status).toBe(200);
    const decoder = new TextDecoder();
    let text = '';
    const read = async () => {
      for await (const chunk of response.body ?? [])
        text += decoder.decode(chunk, { stream: true });
    };
    await expect(read()).rejects.toThrow();
    expect(text).toMatch(isStream ? /^data: \{[\s\S]*[^\n]$/ : /^\{"id/);
  }
});

test('fault/slow waits for the given time, fault/pace between frames', async () => {
  for (const [model, isStream] of [
    ['fault/slow:120', false],
    ['fault/pace:10', true],
  ] as const) {
    const began = performance.now();
    await textOf(model, isStream);
    expect(performance.now() - began).toBeGreaterThan(110);
  }
});

test.for(['byte-by-byte', 'one-write', 'pace:0'])('fault/%s is a valid response', async (name) => {
  const sound = (await textOf('lantern-demo/wick-3')).replaceAll('lantern-demo/wick-3', 'MODEL');
  const text = (await textOf(`fault/${name}`)).replaceAll(`fault/${name}`, 'MODEL');
  const clean = (one: string) => one.replaceAll(/"created":\d+/g, '"created":0');
  expect(clean(text)).toBe(clean(sound));
});

test('fault/crlf and fault/cr use these line ends, fault/comments adds a comment to each frame', async () => {
  expect(await textOf('fault/crlf')).toMatch(/^(data: .*\r\n\r\n)+$/);
  expect(await textOf('fault/cr')).toMatch(/^(data: [^\r\n]*\r\r)+$/);
  expect(await textOf('fault/comments')).toMatch(/^(: .*\n\ndata: .*\n\n)+$/);
});

test('fault/huge-frame is one frame of the given size', async () => {
  const text = await textOf('fault/huge-frame:200001');
  expect(text).toHaveLength(200_001 + 'data: {"id":""}\n\n'.length);
  expect(text.match(/\n/g)).toHaveLength(2);
});

test('fault/endless and fault/html-stream send until the client disconnects', async () => {
  for (const model of ['fault/endless', 'fault/html-stream']) {
    for (const isStream of [true, false]) {
      const left = new AbortController();
      const { server, response } = await askChat(model, isStream, { signal: left.signal });
      let bytes = 0;
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length;
        if (bytes > 1_000_000) break;
      }
      left.abort();
      await expect.poll(() => server.stats().openRequests).toBe(0);
      expect(server.stats().aborted).toBe(1);
    }
  }
});

test('content faults change only the content', async () => {
  expect(await textOf('fault/mid-stream-error')).toMatch(/\n\ndata: \{"error":\{[^\n]*\}\n\n$/);
  expect(await textOf('fault/mid-stream-error-choices')).toMatch(
    /"finish_reason":"error"[^\n]*\n\n$/,
  );
  expect(await textOf('fault/no-usage', false)).not.toContain('"usage"');
  expect(await textOf('fault/no-finish')).not.toMatch(/"finish_reason":"|DONE/);
  expect(await textOf('fault/no-done')).not.toContain('DONE');
  expect(await textOf('fault/no-role')).not.toContain('"role"');
  expect(await textOf('fault/error-null')).toContain('"error":null');
  expect(await textOf('fault/unknown-events')).toContain('event: keepalive');
  expect(await textOf('fault/after-done')).toMatch(/DONE\]\n\ndata: \{/);
  expect(await textOf('fault/empty-reply')).not.toMatch(/"content":"[^"]/);
});

test('the same faults work for Responses', async () => {
  const server = await openModelServer();
  const send = async (name: string, isStream = true) =>
    (
      await post(server, '/responses', { model: `fault/${name}`, input: prompt, stream: isStream })
    ).text();
  expect(await send('mid-stream-error')).toMatch(/event: error\ndata: \{[^\n]*"type":"error"/);
  expect(await send('mid-stream-error-choices')).toMatch(/event: response\.failed\n[^\n]*\n\n$/);
  expect(await send('no-finish')).not.toContain('response.completed');
  expect(await send('no-finish', false)).toContain('"status":"in_progress"');
  expect(await send('no-usage')).toContain('response.completed');
  expect(await send('no-usage')).not.toMatch(/"usage":\{/);
  expect(await send('empty-reply')).not.toContain('output_text.delta');
});

test('a fault on a path hits the given number of requests', async () => {
  const server = await openModelServer();
  const list = () =>
    fetch(`${server.url}/models`, { headers: { authorization: `Bearer ${server.key}` } });
  server.setPathFault({ path: '/models', name: '503', times: 2 });
  const responses = [await list(), await list(), await list()];
  expect(responses.map(({ status }) => status)).toEqual([503, 503, 200]);
});

test('every fault has a description, and no other name is a fault', async () => {
  for (const description of Object.values(faultTable)) expect(description).toMatch(/^\S.{8,}/);
  for (const model of ['fault/none', 'fault/', 'fault/toString', 'fault/__proto__']) {
    expect((await askChat(model, false)).response.status).toBe(404);
  }
});
