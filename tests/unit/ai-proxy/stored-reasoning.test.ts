import { expect, onTestFinished, test } from 'vitest';
import { type BilledProxy, startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { responsesPath } from '../../support/servers/in-process-proxy.ts';
import type { ModelRequest, Script } from '../../support/upstreams/billing-upstream.ts';

/** Clients that leave `store` out find their reasoning at OpenAI in the next turn; here they carry it themselves. */

const model = 'strict/one';
const reply = { counts: { input: 100, output: 12 } };
const encrypted = 'reasoning.encrypted_content';
type Reject = (request: ModelRequest) => Partial<Script> | null;

async function start(reject: Reject = () => null): Promise<BilledProxy> {
  const billed = await startBilledProxy({
    models: { [model]: {} },
    toScript: (request) => ({ reply, ...reject(request) }),
    toFile: (origin) => {
      const url = `${origin}/v1`;
      const protocols = ['chat', 'responses'];
      return { upstreams: [{ name: 'north', url, keyEnv: 'BILL_KEY', protocols }] };
    },
  });
  onTestFinished(() => billed[Symbol.asyncDispose]());
  return billed;
}

async function send({ proxy }: BilledProxy, fields: object): Promise<Response> {
  const { text: key } = await proxy.makeKey({});
  return proxy.post(responsesPath, key, { model, input: 'Hello', ...fields });
}

const logprobs = 'message.output_text.logprobs';

test.each([
  ['no field', {}, [encrypted]],
  ['`store`', { store: true }, [encrypted]],
  ['no `store`, and reasoning', { include: [encrypted] }, [encrypted]],
  ['something else', { include: [logprobs] }, [logprobs, encrypted]],
  ['`store: false`', { store: false }, undefined],
  ['`store: false`, and something else', { store: false, include: [logprobs] }, [logprobs]],
])('a client that sends %s', async (_, fields, include) => {
  const billed = await start();
  expect((await send(billed, fields)).status).toBe(200);
  expect(billed.upstream.requests.map((sent) => sent.include)).toEqual([include]);
  expect(billed.upstream.requests[0]?.store).toBe(false);
});

const rejected = (message: string, param: string | null): Reject => {
  const error = { message, type: 'invalid_request_error', param, code: null };
  return ({ include }) => (include === undefined ? null : { status: 400, errorBody: { error } });
};

test.each([
  ['OpenAI', rejected('Encrypted content is not supported with this model.', 'include')],
  ['Groq', rejected("property 'include' is unsupported", null)],
])('a model of %s that has none is not asked again', async (_, reject) => {
  const billed = await start(reject);
  for (let turn = 0; turn < 2; turn++) expect((await send(billed, {})).status).toBe(200);
  expect(billed.upstream.requests.map((sent) => sent.include)).toEqual([
    [encrypted],
    undefined,
    undefined,
  ]);
});

test('a client that has asked itself is told', async () => {
  const billed = await start(
    rejected('Encrypted content is not supported with this model.', 'include'),
  );
  const response = await send(billed, { include: [encrypted] });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: 'include' } });
  expect(billed.upstream.requests).toHaveLength(1);
});
