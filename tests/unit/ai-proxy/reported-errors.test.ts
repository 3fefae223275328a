import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/http/json-value.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { prompts, setUpModels, type TestModel } from '../../support/servers/set-up-models.ts';
import { examineResponsesStream } from '../../support/upstreams/responses-stream.ts';

/** Errors that services report within a 200, in the words of public reports: most have no status. */

const toFrames = (...events: readonly object[]) =>
  [...events.map((event) => JSON.stringify(event)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
const asEvent = (error: object) => `event: error\ndata: ${JSON.stringify({ error })}\n\n`;

const addModel = setUpModels();

async function post(model: TestModel, path: string, fields: JsonObject) {
  const reply = await model.send(path, { ...prompts[path], ...fields });
  return { ...reply, error: reply.body?.error };
}

const cyber = {
  type: 'invalid_request',
  code: 'cyber_policy',
  message: 'This content was flagged for possible cybersecurity risk. SECRET',
  param: null,
};

test.each<[string, object, number, object]>([
  // codex 43131, CLIProxyAPI 4448, opencodex 483, claude-code-hub 1448, Aether 644
  ['OpenAI: a risk', cyber, 400, { code: 'cyber_policy' }],
  ['OpenAI: a risk, in words', { message: cyber.message }, 400, { code: 'cyber_policy' }],
  // clawrouter 101
  ['Perplexity', { message: 'SECRET', type: 'invalid_request', code: 400 }, 400, { code: null }],
  // litellm 22793
  ['no code', { message: 'SECRET', type: 'invalid_request_error' }, 400, { code: null }],
  // thane-ai-agent 1395, dyad 925
  [
    'LM Studio: a small window',
    {
      message:
        'Trying to keep the first 14538 tokens when context the overflows. However, the model is loaded with context length of only 2048 tokens, which is not enough.',
    },
    400,
    {
      code: 'context_length_exceeded',
      message: expect.stringContaining('14538 tokens > 2048 maximum'),
    },
  ],
  // Switchyard 542
  [
    'TensorRT-LLM',
    {
      code: 400,
      message: 'Input length (600013 tokens) exceeds the maximum allowed length (536826 tokens).',
      type: 'BAD_REQUEST',
    },
    400,
    { code: 'context_length_exceeded' },
  ],
  // claude-code-hub 649
  ['Z.ai: too many', { code: '1302', message: 'High concurrency SECRET' }, 429, {}],
  ['Bedrock', { message: 'Throttling error: Too many tokens, please wait SECRET' }, 429, {}],
  ['Z.ai: no money', { code: '1113', message: 'SECRET' }, 502, { code: 'upstream_error' }],
  // oh-my-pi 3169
  [
    'opencode: no money',
    { type: 'CreditsError', message: 'Insufficient balance. SECRET' },
    502,
    {},
  ],
  [
    'DeepSeek: no money',
    { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' },
    502,
    { code: 'upstream_error', message: expect.stringContaining('the operator has to act') },
  ],
  ['new-api', { code: 'model_not_found', message: 'SECRET' }, 404, { code: 'model_not_found' }],
  ['Anthropic: its own key', { type: 'authentication_error', message: 'SECRET' }, 502, {}],
  ['OpenAI: no money', { code: 'insufficient_quota', message: 'SECRET' }, 502, {}],
  // opencode 1018
  [
    'Groq: an unreadable call',
    { code: 'tool_use_failed', type: 'invalid_request_error', message: 'SECRET', status_code: 400 },
    502,
    { code: 'upstream_error', message: expect.stringContaining('The model wrote a call') },
  ],
  ['no reason at all', { message: 'SECRET' }, 502, { code: 'upstream_error' }],
  // xaibo PR 36
  ['a gateway before an SDK', { code: 'daily', message: 'Error code: 429 - SECRET' }, 429, {}],
])('an error within a 200 gets its status: %s', async (_, reported, status, shown) => {
  let reply = '';
  const model = addModel('chat', () => reply);

  for (const [path, stream] of [
    [chatPath, true],
    [chatPath, false],
    [responsesPath, true],
  ] as const) {
    reply = stream ? asEvent(reported) : JSON.stringify({ error: reported });
    const { error, ...response } = await post(model, path, { stream });
    expect([path, stream, response.status]).toEqual([path, stream, status]);
    expect(error).toMatchObject(shown);
    expect(response.text).not.toContain('SECRET');
  }
});

// hermes-agent 65631
test('an error in fields of its own is an error', async () => {
  const error_message =
    "This model's maximum context length is 163840 tokens. However, you requested 65536 output tokens and your prompt contains at least 163841 input tokens.";
  const model = addModel('chat', () =>
    toFrames({ id: 'c', choices: null, error_type: 'BadRequestError', error_message }),
  );
  for (const path of [chatPath, responsesPath, messagesPath]) {
    const { status, text } = await post(model, path, { stream: true });
    expect([path, status]).toEqual([path, 400]);
    expect(text).toContain('163841 tokens > 163840 maximum');
  }
});

// GoModel PR 1022, dsh-bottom-info-bar PR 25
test.each<[string, object, number, boolean]>([
  ['MiniMax: no money', { base_resp: { status_code: 1008, status_msg: 'SECRET' } }, 502, true],
  ['MiniMax: too many', { base_resp: { status_code: 1002, status_msg: 'SECRET' } }, 429, true],
  ['MiniMax: a mistake', { base_resp: { status_code: 2013, status_msg: 'SECRET' } }, 400, true],
  ['vLLM', { object: 'error', message: 'SECRET', code: 429 }, 429, true],
  ['Z.ai: its own key', { code: 401, msg: 'SECRET', success: false }, 502, false],
  ['FastAPI', { detail: 'Rate limit exceeded: SECRET' }, 429, false],
])('a 200 that has an error in place of a reply is one: %s', async (_, body, status, isStream) => {
  const reply = { id: 'c', choices: null, ...body };
  const model = addModel('chat', ({ stream }) =>
    stream === true ? toFrames(reply) : JSON.stringify(reply),
  );
  for (const path of [chatPath, responsesPath, messagesPath]) {
    for (const stream of isStream ? [true, false] : [false]) {
      const response = await post(model, path, { stream });
      expect([path, stream, response.status]).toEqual([path, stream, status]);
      expect(response.text).not.toContain('SECRET');
    }
  }
});

test('a reply whose service says that nothing is wrong is a reply', async () => {
  const choices = [{ message: { content: 'Hi' }, finish_reason: 'stop' }];
  const base_resp = { status_code: 0, status_msg: '' };
  const model = addModel('chat', () => JSON.stringify({ choices, base_resp, message: 'success' }));
  expect((await post(model, chatPath, {})).status).toBe(200);
});

test('a risk that a native stream reports in its middle has the code that Codex knows', async () => {
  const created = { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } };
  const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [] };
  const begun = [
    created,
    { type: 'response.output_item.added', output_index: 0, item },
    {
      type: 'response.content_part.added',
      item_id: 'msg_1',
      part: { type: 'output_text', text: '' },
    },
    { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Hel' },
  ];
  const failed = { id: 'resp_1', status: 'failed', error: cyber };
  for (const ending of [
    { type: 'error', error: cyber },
    { ...cyber, type: 'error' },
    { type: 'response.failed', response: failed },
  ]) {
    const model = addModel('native', () => toFrames(...begun, ending));
    const { status, text } = await post(model, responsesPath, { stream: true });
    expect(status).toBe(200);
    const { response, problems } = examineResponsesStream(text);
    expect(problems).toEqual([]);
    expect(response).toMatchObject({ status: 'failed', error: { code: 'cyber_policy' } });
    expect(text).not.toContain('SECRET');
  }
});

// aibridge 56
test.each([
  ['invalid_request_error', 'prompt is too long: 205351 tokens > 200000 maximum', 400],
  ['rate_limit_error', 'SECRET', 429],
  ['authentication_error', 'SECRET', 502],
  ['api_error', 'SECRET', 502],
])(
  'a native stream of Messages that begins with an error has its status: %s',
  async (type, message, status) => {
    const event = { type: 'error', error: { type, message } };
    const model = addModel('native', () => `event: error\ndata: ${JSON.stringify(event)}\n\n`);
    const response = await post(model, messagesPath, { stream: true });
    expect(response.status).toBe(status);
    expect(response.text).not.toContain('SECRET');
    if (status === 400) expect(response.error.message).toContain('205351 tokens > 200000 maximum');
  },
);

test.each([
  ['a mistake', { code: 400, type: 'invalid_request_error' }, 'invalid_prompt'],
  // CLIProxyAPI 3055: a connection that has broken
  ['a request that was accepted', { type: 'invalid_request_error' }, 'upstream_error'],
  ['a filter', { code: 'content_filter' }, 'invalid_prompt'],
  ['no window', { code: 'context_length_exceeded' }, 'context_length_exceeded'],
  ['a failure', { code: 'server_error' }, 'upstream_error'],
  ['too many', { code: 'rate_limit_exceeded' }, 'rate_limit_exceeded'],
])('a failed response tells agents whether to try again: %s', async (_, reported, code) => {
  const chunk = { choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: null }] };
  const model = addModel('chat', () =>
    toFrames(chunk, { error: { message: 'SECRET', ...reported } }),
  );
  const { text } = await post(model, responsesPath, { stream: true });
  expect(examineResponsesStream(text).response.error).toMatchObject({ code });
});

// lmstudio-bug-tracker 2180, thane-ai-agent 1395
test.each([true, false])(
  'what a template rejects in a 200 is repaired: stream %s',
  async (isStream) => {
    const words =
      'Error rendering prompt with jinja template: "Conversation roles must alternate user/assistant/user/assistant/...".\n\nThis is usually an issue with the model\'s prompt template.';
    const done = isStream
      ? toFrames({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] })
      : JSON.stringify({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] });
    const model = addModel('chat', ({ messages }) => {
      if ((messages as object[]).length < 3) return done;
      return isStream ? asEvent({ message: words }) : JSON.stringify({ error: words });
    });
    const input = ['The folder is /a.', 'Hello'].map((content) => ({ role: 'user', content }));

    for (const requests of [2, 3]) {
      const body = { instructions: 'You help.', input, stream: isStream };
      const { status, text } = await post(model, responsesPath, body);
      expect([status, model.sent.length]).toEqual([200, requests]);
      expect(text).toContain('Hi');
    }
  },
);

test.each<[string, string, number | string]>([
  // pi 1509, hermes-agent 92161
  ['Z.ai: its service has failed', 'network_error', 502],
  ['Z.ai: it was stopped', 'abort', 502],
  ['DeepSeek: no room', 'insufficient_system_resource', 502],
  // litellm 16651, sub2api 7098
  ['Google: an unreadable call', 'function_call_filter: MALFORMED_FUNCTION_CALL', 502],
  ['Google, at a gateway', 'MALFORMED_FUNCTION_CALL', 502],
  // opencode 18813, zed 57009
  ['Z.ai: the prompt fills the window', 'model_context_window_exceeded', 400],
  ['Z.ai: a filter', 'sensitive', 'content_filter'],
  ['Google: a filter', 'content_filter: PROHIBITED_CONTENT', 'content_filter'],
  ['MiMo: a loop', 'repetition_truncation', 'length'],
  ['Google: a picture that is filtered', 'IMAGE_SAFETY', 'content_filter'],
  // any-llm PR 1202
  ['Google: a signature is missing', 'MISSING_THOUGHT_SIGNATURE', 502],
  // billion-context-pi 169
  ['a gateway to Bedrock', 'error_finish', 502],
  ['Cohere: a filter', 'ERROR_TOXIC', 'content_filter'],
  ['Cohere: no room', 'ERROR_LIMIT', 'length'],
  ['Bedrock: a filter', 'guardrail_intervened', 'content_filter'],
  ['Responses', 'max_output_tokens', 'length'],
  ['Google: too many calls', 'TOO_MANY_TOOL_CALLS', 'stop'],
  ['unknown', 'some_new_reason', 'stop'],
])('no reason is taken for a reply that is complete: %s', async (_, reason, expected) => {
  const choice = { index: 0, finish_reason: reason };
  const usage = { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 };
  const replies = {
    stream: toFrames({ choices: [{ ...choice, delta: { content: '' } }], usage }),
    json: JSON.stringify({ choices: [{ ...choice, message: { content: '' } }], usage }),
  };
  const model = addModel('chat', ({ stream }) => (stream === true ? replies.stream : replies.json));
  for (const stream of [true, false]) {
    const { status, text, error } = await post(model, chatPath, { stream });
    if (typeof expected === 'number') expect([stream, status]).toEqual([stream, expected]);
    else expect(text).toContain(`"finish_reason":"${expected}"`);
    if (expected === 400) expect(error).toMatchObject({ code: 'context_length_exceeded' });
  }
  const translated = await post(model, responsesPath, { stream: true });
  expect(translated.status).toBe(typeof expected === 'number' ? expected : 200);
});

test('a reply that has come to the end of the window is cut, and no failure', async () => {
  const choice = { index: 0, finish_reason: 'model_context_window_exceeded' };
  const model = addModel('chat', () =>
    toFrames({ choices: [{ ...choice, delta: { content: 'Once' } }] }),
  );
  const chat = await post(model, chatPath, { stream: true });
  expect(chat.text).toContain('"finish_reason":"length"');
  const messages = await post(model, messagesPath, { stream: true });
  expect(messages.text).toContain('"stop_reason":"max_tokens"');
});

// vllm 43995, llama.cpp 25510, codex-router 797, codegraff 752
test.each(['{"cmd": "ls', '', '"ls"', 'null'])(
  'a call that was cut off does not stop a conversation: %s',
  async (text) => {
    const model = addModel('chat', (_, sent) => {
      const [, , { tool_calls: calls }] = JSON.parse(sent.text).messages;
      return JSON.stringify({
        choices: [{ message: { content: calls[0].function.arguments }, finish_reason: 'stop' }],
      });
    });
    const input = [
      { role: 'user', content: 'List the files.' },
      { type: 'function_call', call_id: 'call_1', name: 'shell', arguments: text },
      { type: 'function_call_output', call_id: 'call_1', output: 'The arguments are no JSON.' },
    ];
    const { status } = await post(model, responsesPath, { instructions: 'You help.', input });
    const [sent] = model.sent.map((request) => JSON.parse(request.text).messages[2]);
    expect([status, sent.tool_calls[0].function]).toEqual([
      200,
      { name: 'shell', arguments: '{}' },
    ]);
  },
);

// cc-switch 7486
test('an instruction without a text is left out', async () => {
  const model = addModel('chat', () =>
    JSON.stringify({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }),
  );
  const input = [
    { type: 'message', role: 'system', content: [] },
    { role: 'user', content: 'Hello' },
  ];
  expect((await post(model, responsesPath, { input })).status).toBe(200);
  expect(model.requests[0]?.messages).toEqual([{ role: 'user', content: 'Hello' }]);
});
