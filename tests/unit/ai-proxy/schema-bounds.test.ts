import { expect, test } from 'vitest';
import { startBilledProxy } from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';

/** Servers that make a grammar of all schemas: llama.cpp, and what is built on it. */

const model = 'local/model';

const bounded = {
  type: 'object',
  properties: {
    pattern: { type: 'string', pattern: '\\S', maxLength: 65_536 },
    format: { type: 'string', format: 'uri', enum: ['a', 'b'] },
    sizes: { type: 'array', minItems: 1, maxItems: 100, items: { type: 'number', maximum: 9 } },
    either: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
    place: { $ref: '#/$defs/place', default: { pattern: 'x', maxLength: 1 } },
  },
  $defs: { place: { type: 'object', properties: { id: { type: 'string', pattern: 'dag' } } } },
  required: ['pattern'],
  additionalProperties: false,
};
const unbounded = {
  ...bounded,
  properties: {
    pattern: { type: 'string' },
    format: { type: 'string', enum: ['a', 'b'] },
    sizes: { type: 'array', items: { type: 'number', maximum: 9 } },
    either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    place: bounded.properties.place,
  },
  $defs: { place: { type: 'object', properties: { id: { type: 'string' } } } },
};

const messages = [{ role: 'user', content: 'Hello' }];
const functionTool = { name: 'ask', parameters: bounded };
const format = { type: 'json_schema', name: 'reply', schema: bounded };
const chatTools = { messages, tools: [{ type: 'function', function: functionTool }] };
const chatReply = {
  messages,
  response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: bounded } },
};
const responsesTools = { input: 'Hello', tools: [{ type: 'function', ...functionTool }] };
const namespace = {
  input: 'Hello',
  tools: [{ type: 'namespace', name: 'n', tools: responsesTools.tools }],
};
const responsesReply = { input: 'Hello', text: { format } };
const messagesTools = {
  max_tokens: 100,
  messages,
  tools: [{ name: 'ask', input_schema: bounded }],
};
const messagesReply = { max_tokens: 100, messages, output_config: { format } };

// llama.cpp 25746, 26596 and 26930, lmstudio-bug-tracker 2168 and 2197, firecrawl 4512, openclaw 113562, kilocode 12773
test.each([
  ['chat', chatPath, chatTools, 'Failed to initialize samplers: failed to parse grammar'],
  ['chat', chatPath, chatReply, 'Failed to initialize samplers: failed to parse grammar'],
  [
    'chat',
    responsesPath,
    responsesTools,
    "JSON schema conversion failed:\nPattern must start with '^' and end with '$'",
  ],
  [
    'chat',
    messagesPath,
    messagesTools,
    "Unable to generate parser for this template. Automatic parser generation failed: JSON schema conversion failed:\nPattern must start with '^' and end with '$'",
  ],
  [
    'chat',
    messagesPath,
    messagesReply,
    `Engine protocol predict request returned 400: {"error":{"code":400,"message":"Failed to initialize samplers: failed to parse grammar","type":"invalid_request_error"}}. Error Data: n/a, Additional Data: n/a`,
  ],
  ['responses', responsesPath, responsesTools, 'failed to parse grammar'],
  ['responses', responsesPath, namespace, 'failed to parse grammar'],
  ['responses', responsesPath, responsesReply, 'failed to parse grammar'],
  ['messages', messagesPath, messagesTools, 'failed to parse grammar'],
  ['messages', messagesPath, messagesReply, 'failed to parse grammar'],
] as const)('a server with %s gets schemas of %s without bounds: %j', async (...example) => {
  const [protocol, path, body, message] = example;
  await using billed = await startProxy(protocol, (sent) =>
    sent.includes('65536') ? message : null,
  );

  // It depends on the request, so that nothing is learned.
  for (const requests of [2, 4]) {
    expect((await billed.send(path, body)).status).toBe(200);
    expect(billed.requests).toHaveLength(requests);
    expect(JSON.stringify(billed.requests.at(-1))).toContain(JSON.stringify(unbounded));
  }
});

test('where a grammar is too large even so, the client is told what to change', async () => {
  await using billed = await startProxy('chat', () => 'failed to parse grammar');
  const response = await billed.send(messagesPath, messagesTools);
  expect([response.status, billed.requests.length]).toEqual([400, 2]);
  // There is nothing more to leave out.
  const plain = { ...messagesTools, tools: [{ name: 'ask', input_schema: unbounded }] };
  expect((await billed.send(messagesPath, plain)).status).toBe(400);
  expect(billed.requests).toHaveLength(3);
  expect(await response.json()).toMatchObject({
    error: { type: 'invalid_request_error', message: expect.stringContaining('send fewer tools') },
  });
});

/** @param toMessage of the error that a request gets; null: a reply */
async function startProxy(protocol: string, toMessage: (sent: string) => string | null) {
  const reply = { counts: { input: 100, output: 12 } };
  const billed = await startBilledProxy({
    models: { [model]: {} },
    toScript(request) {
      const message = toMessage(JSON.stringify(request));
      const errorBody = { error: { code: 400, message, type: 'invalid_request_error' } };
      return message === null ? { reply } : { reply, status: 400, errorBody };
    },
    toFile: (origin) => {
      const url = `${origin}/v1`;
      return { upstreams: [{ name: 'local', url, keyEnv: 'BILL_KEY', protocols: [protocol] }] };
    },
  });
  const { text: key } = await billed.proxy.makeKey({});
  return {
    requests: billed.upstream.requests,
    send: (path: string, body: object) => billed.proxy.post(path, key, { model, ...body }),
    [Symbol.asyncDispose]: () => billed[Symbol.asyncDispose](),
  };
}
