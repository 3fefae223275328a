import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toOpenAiErrorBody } from '#lib/ai-proxy/error-response.ts';
import { toPublicParam } from '#lib/ai-proxy/upstreams/errors/mistakes/client-mistake.ts';
import { toResponseFailure } from '#lib/ai-proxy/upstreams/errors/upstream-error.ts';
import { anyText } from '../../../../support/factories/any-text.ts';
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
} from '../../../../support/upstreams/vendor-errors.ts';

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
    'this model takes 1048576 tokens',
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
];

const unknownField: readonly Body[] = [
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
    anthropicError('messages.0.content.1.image.source.base64: Could not process image'),
    null,
    null,
    'An image of the request cannot be read: send a PNG, JPEG, GIF or WebP, as a data URL or at a public URL.',
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
    'Anthropic: tool results',
    anthropicError(
      'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01A09q90qw90lq917835lq9. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    ),
    null,
    null,
    'Tool calls and their results do not belong together: each call needs its result right after it, with the same id.',
  ],
  [
    'vLLM: roles',
    vllmError('Conversation roles must alternate user/assistant/user/assistant/...'),
    null,
    null,
    'The messages must alternate between `user` and `assistant` for this model.',
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
  const others = ['frob', 'org-a1', 'gpu.vendor', 'messages.blue', '', 'a b', '../x', 7, null];
  for (const param of others) expect(toPublicParam(param, sent)).toBeNull();
});
