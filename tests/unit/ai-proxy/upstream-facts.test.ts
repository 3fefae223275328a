import { expect, onTestFinished, test } from 'vitest';
import { type BilledProxy, startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { startMarqueeInProcess } from '../../support/servers/marquee-server.ts';
import type { ModelRequest, Script } from '../../support/upstreams/billing-upstream.ts';

const reply = { counts: { input: 100, output: 12 } };
const rejected = (message: string): Partial<Script> => ({
  status: 400,
  errorBody: { error: { message, type: 'invalid_request_error', param: null, code: null } },
});

async function start(
  reject: (request: ModelRequest) => Partial<Script> | null,
  fields: object = {},
): Promise<BilledProxy> {
  const billed = await startBilledProxy({
    models: { 'strict/one': {} },
    toScript: (request) => ({ reply, ...reject(request) }),
    settings: { protocols: ['chat'], fields },
  });
  onTestFinished(() => billed[Symbol.asyncDispose]());
  return billed;
}

const toBody = (more: object = {}) => ({ model: 'strict/one', input: 'Hello', ...more });
const effort = { reasoning: { effort: 'max' } };
const onlyLowAndHigh = ({ reasoning_effort: sent }: ModelRequest) =>
  sent === 'max' || sent === 'xhigh'
    ? rejected('`reasoning_effort` must be one of `low` or `high`')
    : null;

test('what one process has learned, the next one knows from the database', async () => {
  const billed = await start(onlyLowAndHigh);
  const { upstream, proxy } = billed;
  const { text: key } = await proxy.makeKey({});
  expect((await proxy.post(responsesPath, key, toBody(effort))).status).toBe(200);
  expect(upstream.requests.map((sent) => sent.reasoning_effort)).toEqual(['max', 'high']);
  await expect.poll(() => proxy.database.upstreamFacts.list()).toHaveLength(1);

  const restarted = await startMarqueeInProcess(proxy.settings);
  onTestFinished(restarted.stop);
  const response = await fetch(restarted.url + responsesPath, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(toBody(effort)),
  });

  expect(response.status).toBe(200);
  expect(upstream.requests.map((sent) => sent.reasoning_effort)).toEqual(['max', 'high', 'high']);
});

test('what the operator has set needs no request that fails', async () => {
  const billed = await start(onlyLowAndHigh, {
    '*': { user: false },
    'strict/one': {
      reasoning_effort: ['low', 'high'],
      temperature: false,
      max_tokens: 'max_completion_tokens',
      max_output_tokens: 4096,
    },
  });
  const { text: key } = await billed.proxy.makeKey({});

  const body = toBody({ ...effort, temperature: 0.2, user: 'u1' });
  expect((await billed.proxy.post(responsesPath, key, body)).status).toBe(200);

  expect(billed.upstream.requests).toHaveLength(1);
  const [sent] = billed.upstream.requests;
  expect(sent).toMatchObject({ reasoning_effort: 'high', max_completion_tokens: 4096 });
  for (const name of ['max_tokens', 'temperature', 'user']) expect(sent).not.toHaveProperty(name);
});

test('the bound that a model names is learned: the next request fits at once', async () => {
  const billed = await start(({ max_tokens: sent }) =>
    Number(sent) > 4096
      ? rejected('max_tokens is too large: 100000. This model supports at most 4096.')
      : null,
  );
  const { text: key } = await billed.proxy.makeKey({});

  for (const requests of [2, 3]) {
    expect((await billed.proxy.post(responsesPath, key, toBody())).status).toBe(200);
    expect(billed.upstream.requests).toHaveLength(requests);
    expect(billed.upstream.requests.at(-1)?.max_tokens).toBe(4096);
  }
  const messages = [{ role: 'user', content: 'Hello' }];
  const short = { model: 'strict/one', max_tokens: 50, messages };
  expect((await billed.proxy.post(messagesPath, key, short)).status).toBe(200);
  expect(billed.upstream.requests.at(-1)?.max_tokens).toBe(50);
});
