import { expect, test } from 'vitest';
import { toResponseFailure } from '#lib/ai-proxy/upstreams/errors/upstream-error.ts';

const toSent = (content: string, more: object = {}) =>
  JSON.stringify({
    model: 'm',
    messages: [{ role: 'user', content }],
    user: 'u1',
    verbosity: 'low',
    prompt_cache_key: 'k',
    safety_identifier: 's',
    parallel_tool_calls: true,
    service_tier: 'auto',
    reasoning_effort: 'low',
    top_p: 1,
    stream_options: { include_usage: true },
    ...more,
  });
const readRejected = (body: unknown, { status = 400, sent = toSent('Hello') } = {}) =>
  toResponseFailure({ status, body, retryAfterMs: null, sent }).error.rejectedFields;
const readFields = (...of: Parameters<typeof readRejected>) =>
  readRejected(...of).map(({ name }) => name);
const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

test.for<[server: string, body: unknown, fields: readonly string[]]>([
  ['Groq', error("property 'verbosity' is unsupported, did you mean 'x'?"), ['verbosity']],
  [
    'OpenAI',
    error("Unknown parameter: 'verbosity'.", { param: 'verbosity', code: 'unknown_parameter' }),
    ['verbosity'],
  ],
  [
    'OpenAI, of a model',
    error("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.", {
      param: 'parallel_tool_calls',
      code: 'unsupported_parameter',
    }),
    ['parallel_tool_calls'],
  ],
  // free-claude-code 1519
  [
    'NVIDIA, without a field of its own',
    {
      message: 'Validation: `top_p` is immutable for this model and must be 0.95, got 1',
      type: 'Bad Request',
      code: 400,
    },
    ['top_p'],
  ],
  [
    'OpenAI, of an older version',
    error('Unrecognized request arguments supplied: prompt_cache_key, verbosity'),
    ['prompt_cache_key', 'verbosity'],
  ],
  [
    'Mistral, in a text',
    {
      object: 'error',
      message: JSON.stringify({
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'user'], msg: 'Extra inputs are not permitted' },
        ],
      }),
      type: 'internal_error_proxy',
      code: '1000',
    },
    ['user'],
  ],
  [
    'OpenRouter, with the body of the server behind it',
    error('Provider returned error', {
      code: 400,
      metadata: { raw: JSON.stringify(error("property 'user' is unsupported")) },
    }),
    ['user'],
  ],
  [
    'LiteLLM',
    error(
      "litellm.UnsupportedParamsError: groq does not support parameters: ['verbosity', 'user'], for model=x.",
    ),
    ['verbosity', 'user'],
  ],
  [
    'xAI',
    error('Argument not supported on this model: reasoningEffort', {
      code: 'Client specified an invalid argument',
    }),
    ['reasoning_effort'],
  ],
  [
    'xAI, by name',
    error('Model grok-4 does not support parameter reasoningEffort.'),
    ['reasoning_effort'],
  ],
  [
    'a JSON schema',
    error("Additional properties are not allowed ('stream_options' was unexpected)"),
    ['stream_options'],
  ],
  [
    'FastAPI',
    {
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['body', 'stream_options', 'include_usage'],
          msg: 'Extra inputs are not permitted',
        },
      ],
    },
    ['stream_options'],
  ],
  ['pydantic', error('safety_identifier: Extra inputs are not permitted'), ['safety_identifier']],
  // pi 4514, opencode 23193
  [
    'Fireworks',
    error("Extra inputs are not permitted, field: 'prompt_cache_key', value: 'k'"),
    ['prompt_cache_key'],
  ],
  [
    'a gateway before Fireworks',
    error("Error from provider (Console Go): Extra inputs are not permitted, field: 'user'"),
    ['user'],
  ],
  // garak 748
  [
    'NVIDIA, in a text',
    {
      type: 'urn:inference-service:problem-details:unprocessable-entity',
      title: 'Unprocessable Entity',
      detail:
        'body -> top_p\n  Extra inputs are not permitted (type=extra_forbidden)\nbody -> n\n  Extra inputs are not permitted (type=extra_forbidden)',
    },
    ['top_p'],
  ],
  // php-mistral 76
  [
    'Mistral, in a list',
    {
      object: 'Error',
      message: [
        { type: 'extra_forbidden', loc: ['body', 'user'], msg: 'Extra inputs are not permitted' },
      ],
      type: 'invalid_request_error',
      code: 3001,
    },
    ['user'],
  ],
  // litellm 13609, litellm 13825
  [
    'Bedrock',
    { message: 'The model returned the following errors: top_p: Extra inputs are not permitted' },
    ['top_p'],
  ],
  [
    'LiteLLM before Bedrock',
    error(
      'litellm.BadRequestError: BedrockException - {"message":"The model returned the following errors: reasoning_effort: Extra inputs are not permitted"}. Received Model Group=m\nAvailable Model Group Fallbacks=None',
    ),
    ['reasoning_effort'],
  ],
  // oai-compatible-copilot 81
  [
    'a body within a message',
    error(
      JSON.stringify({ type: 'error', error: { message: 'user: Extra inputs are not permitted' } }),
    ),
    ['user'],
  ],
])('%s names fields that it does not know', ([, body, fields]) => {
  expect(readFields(body)).toEqual(fields);
  expect(readFields(body, { status: 422 })).toEqual(fields);
  for (const status of [401, 403, 404, 429, 500]) expect(readFields(body, { status })).toEqual([]);
});

test.for<[about: string, body: unknown]>([
  ['a value', error("Invalid value for 'verbosity'.", { param: 'verbosity' })],
  ['a length', error("Invalid 'user': string too long.", { param: 'user' })],
  ['an unsupported value', error("Unsupported value: 'verbosity'.", { code: 'unsupported_value' })],
  ['another field', error("property 'tools' is unsupported")],
  ['a field that was not sent', error("property 'metadata' is unsupported")],
  ['a field within a message', error('messages.0.user: Extra inputs are not permitted')],
  ['something in the middle', error("It is not so that property 'user' is unsupported")],
  ['nothing', undefined],
])('an error about %s names none', ([, body]) => {
  expect(readFields(body)).toEqual([]);
});

test.for<[server: string, body: unknown, values: readonly string[]]>([
  [
    'OpenAI',
    error(
      "Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model. Supported values are: 'minimal', 'low', 'medium', and 'high'.",
      { param: 'reasoning_effort', code: 'unsupported_value' },
    ),
    ['minimal', 'low', 'medium', 'high'],
  ],
  [
    'OpenAI, of the schema',
    error("Invalid value: 'max'. Supported values are: 'none', 'low', 'medium', and 'high'.", {
      param: 'reasoning_effort',
      code: 'invalid_value',
    }),
    ['none', 'low', 'medium', 'high'],
  ],
  [
    'OpenAI, behind a gateway that calls Responses',
    error("Invalid value: 'max'. Supported values are: 'low' and 'high'.", {
      param: 'reasoning.effort',
    }),
    ['low', 'high'],
  ],
  ['Groq', error('`reasoning_effort` must be one of `none` or `default`'), ['none']],
  [
    'Mistral',
    {
      object: 'error',
      message: {
        detail: [
          {
            type: 'literal_error',
            loc: ['body', 'reasoning_effort'],
            msg: "Input should be 'high' or 'none'",
          },
        ],
      },
    },
    ['none', 'high'],
  ],
  [
    'vLLM',
    {
      object: 'error',
      message: `[{'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': "Input should be 'low', 'medium' or 'high'", 'input': 'xhigh'}]`,
      code: 400,
    },
    ['low', 'medium', 'high'],
  ],
  [
    'vLLM, with the whole path',
    error("Input should be 'low', 'medium' or 'high'", {
      type: 'literal_error',
      param: 'body.reasoning_effort',
    }),
    ['low', 'medium', 'high'],
  ],
  [
    'DeepSeek',
    error(
      'Failed to deserialize the JSON body into the target type: reasoning_effort: unknown variant `minimal`, expected one of `low`, `high`, `max` at line 1 column 85',
    ),
    ['low', 'high', 'max'],
  ],
  [
    'Ollama',
    error(`invalid reasoning value: 'xhigh' (must be "high", "medium", "low", or "none")`),
    ['none', 'low', 'medium', 'high'],
  ],
  [
    'a gateway to coding agents',
    error('level "max" not supported, valid levels: low, medium, high, xhigh'),
    ['low', 'medium', 'high', 'xhigh'],
  ],
  [
    'one that does not say',
    error("Unsupported value: 'reasoning_effort' does not support 'low' with this model."),
    [],
  ],
])('%s names the efforts that it takes', ([, body, values]) => {
  expect(readRejected(body)).toEqual([{ name: 'reasoning_effort', values }]);
  expect(readRejected(body, { sent: toSent('Hello', { reasoning_effort: 'hgih' }) })).toEqual([]);
});

// freellmapi 1070, jan 8136
test('reasoning of former turns is named by its place, or without one', () => {
  const messages = [{ role: 'assistant', content: 'Hi', reasoning_content: 'Hm' }];
  const sent = toSent('Hello', { messages, reasoning_effort: undefined });
  for (const message of [
    "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    "property 'reasoning_content' is unsupported",
    "Extra inputs are not permitted, field: 'messages[1].reasoning_content', value: 'Hm'",
  ]) {
    expect(readFields(error(message), { sent })).toEqual(['returned_reasoning']);
    expect(readFields(error(message))).toEqual([]);
  }
});

test('a quoted prompt names no field, whatever stands around it', () => {
  const quoted = 'user: extra inputs are not permitted';
  const sent = toSent(quoted);
  for (const message of [
    quoted,
    `Error from provider: ${quoted}`,
    JSON.stringify(error(quoted)),
    `litellm.BadRequestError: XException - ${JSON.stringify({ message: quoted })}`,
  ]) {
    expect(readFields(error(message))).toEqual(['user']);
    expect(readFields(error(message), { sent })).toEqual([]);
  }
});

test('a model that takes only the default does without the field', () => {
  const body = error(
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    { param: 'temperature', code: 'unsupported_value' },
  );
  expect(readRejected(body, { sent: toSent('Hello', { temperature: 0.2 }) })).toEqual([
    { name: 'temperature', values: [] },
  ]);
});

test.for([
  'Thinking budget is not supported for this model.',
  'Argument not supported on this model: reasoningEffort',
])('in native protocols, thinking is a field of its own: %s', (text) => {
  for (const more of [{ reasoning: { effort: 'low' } }, { thinking: { type: 'enabled' } }]) {
    expect(readFields(error(text), { sent: JSON.stringify({ model: 'm', ...more }) })).toEqual([
      'thinking',
    ]);
  }
});

test('a tier that changes the price is never one', () => {
  const body = error("property 'service_tier' is unsupported");
  expect(readFields(body)).toEqual(['service_tier']);
  expect(readFields(body, { sent: toSent('Hello', { service_tier: 'flex' }) })).toEqual([]);
});

test.for([
  "property 'user' is unsupported",
  'json: unknown field "user"',
  "[{'type': 'extra_forbidden', 'loc': ('body', 'user')",
  'user: Extra inputs are not permitted',
  '`reasoning_effort` must be one of `high`',
  "Invalid value: 'low'. Supported values are: 'high'",
])('a prompt that is quoted in an error picks no field: %s', (prompt) => {
  const sent = toSent(prompt);
  for (const message of [prompt, `${prompt} is no prompt`, `Invalid content: '${prompt}'`]) {
    expect(readFields(error(message), { sent }), message).toEqual([]);
    const [param, type] = ['messages.0.content', 'string_type'];
    expect(readFields(error(message, { param, type }), { sent })).toEqual([]);
  }
});
