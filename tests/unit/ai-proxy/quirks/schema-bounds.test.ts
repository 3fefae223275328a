import { expect, test } from 'vitest';
import {
  chatPath,
  messagesPath,
  responsesPath,
} from '../../../support/servers/in-process-proxy.ts';
import { setUpModels } from '../../../support/servers/set-up-models.ts';

/** Servers that make a grammar of all schemas: llama.cpp, and what is built on it. */

const addModel = setUpModels();
const rejected = (message: string) => ({
  status: 400,
  body: { error: { code: 400, message, type: 'invalid_request_error' } },
});

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
  const model = addModel(protocol, (_, { text }) =>
    text.includes('65536') ? rejected(message) : null,
  );

  // It depends on the request, so that nothing is learned.
  for (const requests of [2, 4]) {
    expect((await model.send(path, body)).status).toBe(200);
    expect(model.requests).toHaveLength(requests);
    expect(JSON.stringify(model.requests.at(-1))).toContain(JSON.stringify(unbounded));
  }
});

test('where a grammar is too large even so, the client is told what to change', async () => {
  const model = addModel('chat', () => rejected('failed to parse grammar'));
  const response = await model.send(messagesPath, messagesTools);
  expect([response.status, model.requests.length]).toEqual([400, 2]);
  // There is nothing more to leave out.
  const plain = { ...messagesTools, tools: [{ name: 'ask', input_schema: unbounded }] };
  expect((await model.send(messagesPath, plain)).status).toBe(400);
  expect(model.requests).toHaveLength(3);
  expect(response.body).toMatchObject({
    error: { type: 'invalid_request_error', message: expect.stringContaining('send fewer tools') },
  });
});
