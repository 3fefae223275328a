import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toOpenAiErrorBody } from '#lib/ai-proxy/error-response.ts';
import { toPublicParam } from '#lib/ai-proxy/quirks/read-mistake.ts';
import { toResponseFailure } from '#lib/ai-proxy/upstreams/errors/upstream-error.ts';
import { anyText } from '../../../support/factories/any-text.ts';
import {
  anthropicError,
  boundOfAnthropic,
  boundOfOpenAi,
  contextOfVllm,
  googleError,
  mistralError,
  openAiError,
  openRouterError,
  otherFieldOfOpenAi,
  vllmError,
} from '../../../support/upstreams/vendor-errors.ts';

const sent = JSON.stringify({
  model: 'm',
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: 5000,
  frobnicate: true,
  reasoning_effort: 'highest',
});

function toClientError(body: unknown, status = 400) {
  const { error } = toResponseFailure({ status, body, retryAfterMs: null, sent });
  return { status: error.status, ...toOpenAiErrorBody(error).error };
}

type Body = readonly [vendor: string, body: unknown];

const tooLong: readonly (readonly [...Body, limit: string, param?: string])[] = [
  [
    'OpenAI',
    openAiError(
      "This model's maximum context length is 4097 tokens. However, your messages resulted in 6988 tokens. Please reduce the length of the messages.",
      { param: 'messages', code: 'context_length_exceeded' },
    ),
    '6988 tokens > 4097 maximum',
    'messages',
  ],
  ['vLLM', contextOfVllm, 'this model takes 6048 tokens'],
  [
    'Anthropic',
    anthropicError('prompt is too long: 210000 tokens > 200000 maximum'),
    '210000 tokens > 200000 maximum',
  ],
  [
    'Google, in a list',
    googleError(
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ),
    '1200000 tokens > 1048576 maximum',
  ],
  [
    'llama.cpp',
    openAiError(
      'the request exceeds the available context size. try increasing the context size or enable context shift',
      { type: 'exceed_context_size_error', code: 400 },
    ),
    'this model takes less',
  ],
  [
    'TGI, as a string',
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens and 20 `max_new_tokens`',
      error_type: 'validation',
    },
    'this model takes 4097 tokens',
  ],
  [
    'TGI: the prompt alone',
    { error: 'Input validation error: `inputs` must have less than 4097 tokens. Given: 6988' },
    '6988 tokens > 4097 maximum',
  ],
  // Those that public lists of such texts have: coding agents shorten the conversation only after the code.
  [
    'vLLM, with what it has counted',
    openAiError(
      "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens.",
    ),
    '262145 tokens > 262144 maximum',
  ],
  [
    'xAI',
    {
      code: 'invalid-argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    '537812 tokens > 131072 maximum',
  ],
  [
    'Kimi',
    openAiError(
      'Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)',
    ),
    '300000 tokens > 262144 maximum',
  ],
  [
    'GitHub',
    openAiError('prompt token count of 135000 exceeds the limit of 128000', {
      code: 'model_max_prompt_tokens_exceeded',
    }),
    '135000 tokens > 128000 maximum',
  ],
  [
    'SGLang',
    openAiError("The input (300 tokens) is longer than the model's context length (200 tokens)."),
    '300 tokens > 200 maximum',
  ],
  [
    'a gateway',
    openAiError("Input length (265330) exceeds model's maximum context length (262144)."),
    '265330 tokens > 262144 maximum',
  ],
  [
    'Poolside',
    openAiError('Input length 5000 exceeds the maximum allowed input length of 4096 tokens.'),
    '5000 tokens > 4096 maximum',
  ],
  [
    'Fireworks',
    openAiError('The prompt is too long: 267657, model maximum context length: 262143'),
    '267657 tokens > 262143 maximum',
  ],
  [
    'Qwen',
    openAiError(
      '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]',
    ),
    'this model takes 30720 tokens',
  ],
  ['Bedrock', openAiError('Input is too long for requested model.'), 'this model takes less'],
  [
    'Groq',
    openAiError('Please reduce the length of the messages or completion.'),
    'this model takes less',
  ],
  // cloudflare-docs 29731
  [
    'Cloudflare, in a list of errors',
    {
      errors: [
        {
          message:
            "AiError: This model's maximum context length is 131072 tokens. However, you requested 16000 output tokens and your prompt contains at least 131073 input tokens.",
          code: 5021,
        },
      ],
      success: false,
      result: {},
    },
    '131073 tokens > 131072 maximum',
  ],
  // free-claude-code 1198, 1650
  [
    'NVIDIA, without a field of its own',
    {
      message: 'max_tokens must be at least 1, got -853. (parameter=max_tokens, value=-853)',
      type: 'BadRequestError',
      param: 'max_tokens',
      code: 400,
    },
    'this model takes less',
    'max_tokens',
  ],
  [
    'NVIDIA, as details',
    { status: 400, title: 'Bad Request', detail: 'Input is too long for requested model.' },
    'this model takes less',
  ],
  ['Z.ai', { error: { code: '1261', message: 'Prompt 超长' } }, 'this model takes less'],
  [
    'MiniMax',
    openAiError('invalid params, context window exceeds limit (2013)'),
    'this model takes less',
  ],
];

const unknownField: readonly Body[] = [
  // agent-stuff 19
  ['Fireworks', openAiError("Extra inputs are not permitted, field: 'frobnicate'")],
  [
    'Groq',
    openAiError(
      "'messages.0' : for 'role:user' the following must be satisfied[('messages.0' : property 'frobnicate' is unsupported)]",
    ),
  ],
  ['OpenAI', openAiError("Unknown parameter: 'frobnicate'.", { param: 'frobnicate' })],
  ['Azure', openAiError('Unrecognized request argument supplied: frobnicate')],
  ['Anthropic', anthropicError('frobnicate: Extra inputs are not permitted')],
  [
    'Mistral',
    mistralError({
      type: 'extra_forbidden',
      loc: ['body', 'frobnicate'],
      msg: 'Extra inputs are not permitted',
      input: 1,
    }),
  ],
];

const filtered: readonly (readonly [...Body, param?: string])[] = [
  [
    'Azure',
    openAiError(
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
      { type: null, param: 'prompt', code: 'content_filter' },
    ),
    'prompt',
  ],
  ['Anthropic', anthropicError('Output blocked by content filtering policy')],
];

const others: readonly (readonly [
  ...Body,
  code: string | null,
  param: string | null,
  message: string,
])[] = [
  [
    'OpenAI: a bound that is too large',
    boundOfOpenAi,
    null,
    'max_tokens',
    '`max_tokens` is larger than this model allows: at most 4096.',
  ],
  [
    'Anthropic: a bound that is too large',
    boundOfAnthropic,
    null,
    'max_tokens',
    '`max_tokens` is larger than this model allows: at most 8192.',
  ],
  [
    'OpenAI: another field',
    otherFieldOfOpenAi,
    'unsupported_parameter',
    'max_tokens',
    'This model does not take `max_tokens`: use `max_completion_tokens`.',
  ],
  [
    'FastAPI: a missing field',
    {
      detail: [{ loc: ['body', 'messages', 0, 'content'], msg: 'Field required', type: 'missing' }],
    },
    null,
    'messages[0].content',
    '`messages[0].content` is missing from the request.',
  ],
  [
    'OpenAI: an unsupported value',
    openAiError(
      "Unsupported value: 'reasoning_effort' does not support 'highest' with this model. Supported values are: 'low', 'medium', and 'high'.",
      { param: 'reasoning_effort', code: 'unsupported_value' },
    ),
    null,
    'reasoning_effort',
    'This model does not take this value of `reasoning_effort`: it may be `low`, `medium` or `high`.',
  ],
  [
    'OpenAI: a value below the minimum',
    openAiError(
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead.",
      { param: 'max_output_tokens', code: 'integer_below_min_value' },
    ),
    null,
    'max_output_tokens',
    'This model does not take this value of `max_output_tokens`: it must be 16 or more.',
  ],
  [
    'OpenAI: a wrong type',
    openAiError(
      "Invalid type for 'messages[0].content': expected one of a string or array of objects, but got an integer instead.",
      { param: 'messages[0].content', code: 'invalid_type' },
    ),
    null,
    'messages[0].content',
    'This model does not take this value of `messages[0].content`: see its documentation.',
  ],
  [
    'OpenRouter: the body of the provider behind it',
    openRouterError(
      openAiError(
        "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
        { param: 'input' },
      ),
    ),
    null,
    'input',
    'For replies of type `json_object` the prompt has to contain the word “json”.',
  ],
  [
    'Ollama: no tools',
    openAiError('registry.ollama.ai/library/gemma:2b does not support tools', {
      type: 'api_error',
    }),
    'unsupported_parameter',
    'tools',
    'This model cannot use tools: leave out `tools`, or choose another model.',
  ],
  [
    'vLLM: no images',
    vllmError('vendor/small is not a multimodal model'),
    'unsupported_parameter',
    null,
    'This model cannot read images: leave them out, or choose another model.',
  ],
  [
    'Anthropic: an image that is none',
    anthropicError('messages.0.content.1.image.source.base64.data: Could not process image'),
    null,
    'messages[0].content[1].source.data',
    'An image of the request cannot be read (`messages[0].content[1].source.data`): send a PNG, JPEG, GIF or WebP, as a data URL or at a public URL.',
  ],
  [
    'OpenAI: a schema that is not strict',
    openAiError(
      "Invalid schema for response_format 'answer': In context=(), 'additionalProperties' is required to be supplied and to be false.",
      { param: 'response_format' },
    ),
    null,
    'response_format',
    '`response_format` is not a schema that this model takes. In strict mode each object needs `"additionalProperties": false` and lists all its properties in `required`.',
  ],
  [
    'Anthropic: a schema that is not closed',
    openAiError(
      "response_format.json_schema.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
    ),
    null,
    'response_format.json_schema.schema',
    '`response_format.json_schema.schema` is not a schema that this model takes. In strict mode each object needs `"additionalProperties": false` and lists all its properties in `required`.',
  ],
  [
    'Anthropic: a schema that is not strict',
    openAiError('response_format.json_schema.strict: Input should be True'),
    null,
    'response_format.json_schema.strict',
    'This model takes only strict schemas of a reply: set `response_format.json_schema.strict` to `true`.',
  ],
  ...[
    "'response_format.type' must be 'json_schema' or 'text'",
    "response_format.type: Input should be 'json_schema'",
    'This response_format type is unavailable now',
    'This model does not support response format `json_schema`. See supported models at https://example.com',
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more",
  ].map(
    (text) =>
      [
        `a format of the reply: ${text}`,
        openAiError(text),
        'unsupported_parameter',
        'response_format',
        'This model does not take this type of `response_format`: use another one, or leave it out and ask for JSON in the prompt.',
      ] as const,
  ),
  [
    'Anthropic: tool results',
    anthropicError(
      'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01A09q90qw90lq917835lq9. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    ),
    null,
    null,
    '`tool_use` ids were found without `tool_result` blocks immediately after: each call needs its result in the next message.',
  ],
  [
    'vLLM: roles',
    vllmError('Conversation roles must alternate user/assistant/user/assistant/...'),
    null,
    null,
    'The messages must alternate between `user` and `assistant` for this model.',
  ],
  [
    'Anthropic: a field that has gone',
    anthropicError('`frobnicate` is deprecated for this model.'),
    'unsupported_parameter',
    'frobnicate',
    'This model does not take `frobnicate`: leave it out.',
  ],
  [
    'Anthropic: two fields of which one is too much',
    anthropicError(
      '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
    ),
    null,
    'top_p',
    'This model does not take `temperature` and `top_p` together: leave one of them out.',
  ],
  [
    'Anthropic: a value beside thinking',
    anthropicError(
      '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled. Please consult our documentation.',
    ),
    null,
    'top_p',
    'While this model thinks, it does not take this value of `top_p`: leave it out, or turn thinking off.',
  ],
  [
    'Anthropic: a demand for a tool beside thinking',
    anthropicError('Thinking may not be enabled when tool_choice forces tool use.'),
    'unsupported_parameter',
    'tool_choice',
    'No tool can be demanded of this model while it thinks: send `auto` as `tool_choice`, or turn thinking off.',
  ],
  // eino 994
  [
    'Qwen: a demand for a tool beside thinking',
    openAiError(
      '<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode',
      { code: 'invalid_parameter_error' },
    ),
    'unsupported_parameter',
    'tool_choice',
    'No tool can be demanded of this model while it thinks: send `auto` as `tool_choice`, or turn thinking off.',
  ],
  // coze-studio 484, vllm 15465
  ...[
    'Model "bge" does not support matryoshka representation, changing output dimensions will lead to poor results.',
    'dimensions is currently not supported',
  ].map(
    (message) =>
      [
        'vLLM: the length of vectors',
        vllmError(message),
        'unsupported_parameter',
        'dimensions',
        'This model does not take `dimensions`: leave it out.',
      ] as const,
  ),
  // gigachain 237, llmgateway PR 3268
  ...[
    { status: 422, message: 'Invalid params: temperature must be in range (0, +inf)' },
    {
      error: { code: '1210', message: 'The temperature parameter is illegal.：限制数值范围[0,1]' },
    },
  ].map(
    (body) =>
      [
        'GigaChat, Z.ai: a value',
        body,
        null,
        'temperature',
        'This model does not take this value of `temperature`: see its documentation.',
      ] as const,
  ),
  // gbrain 1199, page-assist 371, gel 9032
  ...(
    [
      [
        '<400> InternalError.Algo.InvalidParameter: Value error, batch size is invalid, it should not be larger than 10.: input.contents',
        '`input` is too long: its length may be at most 10.',
      ],
      [
        'input batch size 473 > maximum allowed batch size 64',
        '`input` is too long: its length may be at most 64.',
      ],
      [
        '* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch\n',
        'A field of the request is too long: its length may be at most 100.',
      ],
    ] as const
  ).map(([text, message]) => {
    const param = message.startsWith('`input`') ? 'input' : null;
    return ['vectors of too many texts', openAiError(text), null, param, message] as const;
  }),
  // api-mcp-server 40
  [
    'Kimi: the name of a tool',
    openAiError('Invalid request: function name is invalid, must start with a letter'),
    null,
    null,
    'The name of a tool may have only letters, digits, `_` and `-`.',
  ],
  [
    'Anthropic: a reply without its thinking',
    anthropicError(
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.',
    ),
    null,
    'thinking',
    'While this model thinks, the last reply has to begin with its thinking block: send replies back as they came, or turn thinking off.',
  ],
  [
    'Anthropic: an empty thinking block',
    anthropicError('messages.1.content.0.thinking: each thinking block must contain thinking'),
    null,
    null,
    'A thinking block is empty: send it as it came, or leave it out.',
  ],
  [
    'Anthropic: marks for a cache',
    anthropicError('A maximum of 4 blocks with cache_control may be provided. Found 5.'),
    null,
    'cache_control',
    'Too many blocks have `cache_control`: at most 4 may have it.',
  ],
  [
    'Anthropic: a mark on nothing',
    anthropicError('messages.2.content.0.text: cache_control cannot be set for empty text blocks'),
    null,
    'cache_control',
    'An empty text cannot have `cache_control`: leave the text out.',
  ],
  [
    'Anthropic: a call with two results',
    anthropicError(
      'messages.4.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_01A09q90qw90lq917835lq9',
    ),
    null,
    null,
    'Tool calls and their results do not belong together: each call needs its result right after it, with the same id.',
  ],
  [
    'Anthropic: a field of a tool',
    anthropicError('tools.3.custom.frobnicate: Extra inputs are not permitted'),
    'unsupported_parameter',
    'tools[3].frobnicate',
    'This model does not take `tools[3].frobnicate`: leave it out.',
  ],
  [
    'Anthropic: the name of a tool',
    anthropicError("tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"),
    null,
    'tools[0].name',
    '`tools[0].name` may have only letters, digits, `_` and `-`.',
  ],
  [
    'OpenAI: the name of a tool',
    openAiError(
      "Invalid 'tools[2].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
      { param: 'tools[2].function.name', code: 'invalid_value' },
    ),
    null,
    'tools[2].function.name',
    '`tools[2].function.name` may have only letters, digits, `_` and `-`.',
  ],
  [
    'OpenAI: too many tools',
    openAiError(
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 158 instead.",
      { param: 'tools', code: 'array_above_max_length' },
    ),
    null,
    'tools',
    '`tools` is too long: its length may be at most 128.',
  ],
  [
    'OpenAI: tools and effort',
    openAiError(
      "Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      { param: 'reasoning_effort' },
    ),
    'unsupported_parameter',
    'reasoning_effort',
    'With tools, this model takes no `reasoning_effort` but `none` in Chat Completions: send that, or use `/responses`.',
  ],
  [
    'OpenAI: reasoning alone',
    openAiError(
      "Item 'rs_06a20bd006d58dde' of type 'reasoning' was provided without its required following item.",
      { param: 'input' },
    ),
    null,
    'input',
    'A reasoning item and the item that follows it belong together: send both back, or none of them.',
  ],
  [
    'Google: a call without its signature',
    googleError(
      'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Additional data, function call `default_api:look` , position 2.',
    ),
    null,
    null,
    'This model needs its reasoning back with its calls of tools (`extra_content`, or `reasoning_details`): send its replies as they came.',
  ],
  [
    'Google: the order of turns',
    googleError(
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    ),
    null,
    null,
    'Tool calls and their results do not belong together: each call needs its result right after it, with the same id.',
  ],
  [
    'Mistral: the id of a call',
    openAiError(
      'Tool call id was call_PTLP8xhu3uwZk4l3nlnrrJha but must be a-z, A-Z, 0-9, with a length of 9.',
      { type: 'invalid_function_call', code: '3280' },
    ),
    null,
    null,
    'This model takes only ids of calls that have nine letters and digits.',
  ],
  [
    'Mistral: the last message',
    openAiError(
      'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    ),
    'unsupported_parameter',
    null,
    'The last message has to be one of the user for this model.',
  ],
];

describe('a client’s mistake is told in our own words', () => {
  const mistake = { status: 400, type: 'invalid_request_error', code: null, param: null };

  test.each(tooLong)('%s: too long', (_, body, limit, param = null) => {
    const message = `The prompt is too long: ${limit}, prompt and reply together. Shorten one of them.`;
    const code = 'context_length_exceeded';
    expect(toClientError(body)).toEqual({ ...mistake, code, param, message });
  });

  test.each(unknownField)('%s: an unknown field', (_, body) => {
    expect(toClientError(body)).toEqual({
      ...mistake,
      code: 'unsupported_parameter',
      param: 'frobnicate',
      message: 'This model does not take `frobnicate`: leave it out.',
    });
  });

  test.each(filtered)('%s: content policy', (_, body, param = null) => {
    const message =
      'The content filter of the service behind this model rejects this prompt: change it.';
    expect(toClientError(body)).toEqual({ ...mistake, code: 'content_filter', param, message });
  });

  test.each(others)('%s', (_, body, code, param, message) => {
    expect(toClientError(body)).toEqual({ ...mistake, code, param, message });
  });

  test('moderation, which some report with a 403, is a mistake and not about our account', () => {
    const message =
      'vendor/model requires moderation on Example. Your input was flagged for "violence". No credits were charged.';
    const shown = toClientError({ error: { code: 403, message, metadata: {} } }, 403);
    expect(shown).toMatchObject({ status: 400, code: 'content_filter' });
    expect(toClientError({ error: { code: 403, message: 'Key limit exceeded' } }, 403).status).toBe(
      502,
    );
  });

  test('a 404 about what a model cannot do names that', () => {
    const message =
      'No endpoints found that support tool use. To learn more, see: https://upstream.example';
    expect(toClientError({ error: { code: 404, message } }, 404)).toMatchObject({
      status: 400,
      param: 'tools',
    });
  });

  test('an unknown text says nothing', () => {
    const message = 'The kettle of tenant blue-42 is out of water.';
    expect(toClientError(openAiError(message, { param: 'messages' }))).toEqual({
      ...mistake,
      param: 'messages',
      message:
        'The service behind this model refused the request. Check the fields and values that this model takes.',
    });
  });
});

test.each([
  ['Your credit balance is too low to access the API. Please go to Plans & Billing.'],
  ['You exceeded your current quota, please check your plan and billing details.'],
  ['Your organization must be verified to use the model `x`.'],
  ['This organization has been disabled.'],
  ['API key not valid. Please pass a valid API key.'],
])('%j is about our account', (message) => {
  expect(toClientError(openAiError(message))).toMatchObject({
    status: 502,
    code: 'upstream_error',
  });
});

const secrets = [
  'org-AbC123xyz',
  'proj_4f5e6d7c8b9a',
  'acct-99-blue',
  'sk-proj-0123456789abcdef',
  'req_011CSHoEeqs5C35K2UUqR7Fy',
  'https://gpu-7.vendor.internal:8443/v1',
  '10.0.0.7',
  'me@vendor.example',
  'VendorNameGmbH',
  '8f14e45f-ceea-4c6b-a1b2-0c3d4e5f6a7b',
];

test('whatever stands in a known text, nothing of the upstream leaves', () => {
  const bodies = [...tooLong, ...unknownField, ...filtered, ...others].map(([, body]) => body);
  const inserted = fc.tuple(fc.constantFrom(...bodies), fc.constantFrom(...secrets), fc.nat(400));
  fc.assert(
    fc.property(inserted, ([body, secret, at]) => {
      const poisoned = insertInto(body, secret, at);
      expect(JSON.stringify(toClientError(poisoned))).not.toContain(secret);
    }),
    { numRuns: 2000 },
  );
});

/** Puts a text into every string of a body, at the given place or the end. */
function insertInto(value: unknown, text: string, at: number): unknown {
  if (typeof value === 'string') return `${value.slice(0, at)}${text}${value.slice(at)}`;
  if (Array.isArray(value)) return value.map((item) => insertInto(item, text, at));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, insertInto(inner, text, at)]);
  return Object.fromEntries(entries);
}

test('any text is read in no time', () => {
  fc.assert(
    fc.property(fc.array(anyText()), fc.integer({ min: 1, max: 400 }), (parts, times) => {
      const message = parts.join(' ').repeat(times);
      expect(toClientError(openAiError(message)).message.length).toBeLessThan(300);
    }),
    { numRuns: 300 },
  );
});

test('a param is a path of words that stand in the request or in the documentation', () => {
  expect(toPublicParam('messages.0.content', sent)).toBe('messages[0].content');
  expect(toPublicParam('messages[0].content[1].image_url.url', sent)).toBe(
    'messages[0].content[1].image_url.url',
  );
  expect(toPublicParam('frobnicate', sent)).toBe('frobnicate');
  expect(toPublicParam('messages.0.content.1.image.source.base64.data', sent)).toBe(
    'messages[0].content[1].source.data',
  );
  expect(toPublicParam('thinking.enabled.budget_tokens', sent)).toBe('thinking.budget_tokens');
  const others = ['frob', 'org-a1', 'gpu.vendor', 'messages.blue', '', 'a b', '../x', 7, null];
  for (const param of others) expect(toPublicParam(param, sent)).toBeNull();
});
