import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toOpenAiErrorBody } from '#lib/ai-proxy/error-response.ts';
import { toPublicParam } from '#lib/ai-proxy/upstreams/errors/mistakes/client-mistake.ts';
import { toResponseFailure } from '#lib/ai-proxy/upstreams/errors/upstream-error.ts';
import { anyText } from '../../../../support/factories/any-text.ts';

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

const error = (fields: object) => ({
  error: { type: 'invalid_request_error', param: null, code: null, ...fields },
});

/** Bodies as the vendors send them: what each becomes. */
const bodies: readonly (readonly [
  vendor: string,
  body: unknown,
  code: string | null,
  param: string | null,
  message: string,
])[] = [
  [
    'OpenAI: too long',
    error({
      message:
        "This model's maximum context length is 4097 tokens. However, your messages resulted in 6988 tokens. Please reduce the length of the messages.",
      param: 'messages',
      code: 'context_length_exceeded',
    }),
    'context_length_exceeded',
    'messages',
    'The prompt is too long: 6988 tokens > 4097 maximum, prompt and reply together. Shorten one of them.',
  ],
  [
    'vLLM: too long',
    {
      object: 'error',
      message:
        "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion). Please reduce the length of the messages or completion.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    'context_length_exceeded',
    null,
    'The prompt is too long: this model takes 6048 tokens, prompt and reply together. Shorten one of them.',
  ],
  [
    'Anthropic: too long',
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 210000 tokens > 200000 maximum',
      },
      request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
    },
    'context_length_exceeded',
    null,
    'The prompt is too long: 210000 tokens > 200000 maximum, prompt and reply together. Shorten one of them.',
  ],
  [
    'Google: too long, in a list',
    [
      {
        error: {
          code: 400,
          message:
            'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    'context_length_exceeded',
    null,
    'The prompt is too long: this model takes 1048576 tokens, prompt and reply together. Shorten one of them.',
  ],
  [
    'llama.cpp: too long',
    {
      error: {
        code: 400,
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
      },
    },
    'context_length_exceeded',
    null,
    'The prompt is too long: this model takes less, prompt and reply together. Shorten one of them.',
  ],
  [
    'TGI: too long, as a string',
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens and 20 `max_new_tokens`',
      error_type: 'validation',
    },
    'context_length_exceeded',
    null,
    'The prompt is too long: this model takes 4097 tokens, prompt and reply together. Shorten one of them.',
  ],
  [
    'OpenAI: a bound that is too large',
    error({
      message:
        'max_tokens is too large: 5000. This model supports at most 4096 completion tokens, whereas you provided 5000.',
      param: 'max_tokens',
      code: 'invalid_value',
    }),
    null,
    'max_tokens',
    '`max_tokens` is larger than this model allows: at most 4096.',
  ],
  [
    'Anthropic: a bound that is too large',
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022',
      },
    },
    null,
    'max_tokens',
    '`max_tokens` is larger than this model allows: at most 8192.',
  ],
  [
    'OpenAI: another field',
    error({
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      param: 'max_tokens',
      code: 'unsupported_parameter',
    }),
    'unsupported_parameter',
    'max_tokens',
    'This model does not take `max_tokens`: use `max_completion_tokens`.',
  ],
  [
    'OpenAI: an unknown field',
    error({ message: "Unknown parameter: 'frobnicate'.", param: 'frobnicate' }),
    'unsupported_parameter',
    'frobnicate',
    'This model does not take `frobnicate`: leave it out.',
  ],
  [
    'Azure: an unknown field',
    error({ message: 'Unrecognized request argument supplied: frobnicate' }),
    'unsupported_parameter',
    'frobnicate',
    'This model does not take `frobnicate`: leave it out.',
  ],
  [
    'Anthropic: an unknown field',
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'frobnicate: Extra inputs are not permitted',
      },
    },
    'unsupported_parameter',
    'frobnicate',
    'This model does not take `frobnicate`: leave it out.',
  ],
  [
    'Mistral: an unknown field',
    {
      object: 'error',
      message: {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'frobnicate'],
            msg: 'Extra inputs are not permitted',
            input: 1,
          },
        ],
      },
      type: 'invalid_request_error',
    },
    'unsupported_parameter',
    'frobnicate',
    'This model does not take `frobnicate`: leave it out.',
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
    error({
      message:
        "Unsupported value: 'reasoning_effort' does not support 'highest' with this model. Supported values are: 'low', 'medium', and 'high'.",
      param: 'reasoning_effort',
      code: 'unsupported_value',
    }),
    null,
    'reasoning_effort',
    'This model does not take this value of `reasoning_effort`: it may be `low`, `medium` or `high`.',
  ],
  [
    'OpenAI: a value below the minimum',
    error({
      message:
        "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead.",
      param: 'max_output_tokens',
      code: 'integer_below_min_value',
    }),
    null,
    'max_output_tokens',
    'This model does not take this value of `max_output_tokens`: it must be 16 or more.',
  ],
  [
    'OpenAI: a wrong type',
    error({
      message:
        "Invalid type for 'messages[0].content': expected one of a string or array of objects, but got an integer instead.",
      param: 'messages[0].content',
      code: 'invalid_type',
    }),
    null,
    'messages[0].content',
    'This model does not take this value of `messages[0].content`: see its documentation.',
  ],
  [
    'Azure: content policy',
    {
      error: {
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry. To learn more about our content filtering policies please read our documentation: https://go.microsoft.com/fwlink/?linkid=2198766",
        type: null,
        param: 'prompt',
        code: 'content_filter',
        status: 400,
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
    },
    'content_filter',
    'prompt',
    'The content filter of the service behind this model rejects this prompt: change it.',
  ],
  [
    'Anthropic: content policy',
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'Output blocked by content filtering policy',
      },
    },
    'content_filter',
    null,
    'The content filter of the service behind this model rejects this prompt: change it.',
  ],
  [
    'OpenRouter: the body of the provider behind it',
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: JSON.stringify({
            error: {
              message:
                "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
              type: 'invalid_request_error',
              param: 'input',
              code: null,
            },
          }),
          provider_name: 'OpenAI',
        },
      },
      user_id: 'org_2xAbCdEf5',
    },
    null,
    'input',
    'For replies of type `json_object` the prompt has to contain the word “json”.',
  ],
  [
    'Ollama: no tools',
    {
      error: {
        message: 'registry.ollama.ai/library/gemma:2b does not support tools',
        type: 'api_error',
      },
    },
    'unsupported_parameter',
    'tools',
    'This model cannot use tools: leave out `tools`, or choose another model.',
  ],
  [
    'vLLM: no images',
    {
      object: 'error',
      message: 'vendor/small is not a multimodal model',
      type: 'BadRequestError',
      code: 400,
    },
    'unsupported_parameter',
    null,
    'This model cannot read images: leave them out, or choose another model.',
  ],
  [
    'Anthropic: an image that is none',
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'messages.0.content.1.image.source.base64: Could not process image',
      },
    },
    null,
    null,
    'An image of the request cannot be read: send a PNG, JPEG, GIF or WebP, as a data URL or at a public URL.',
  ],
  [
    'OpenAI: a schema that is not strict',
    error({
      message:
        "Invalid schema for response_format 'answer': In context=(), 'additionalProperties' is required to be supplied and to be false.",
      param: 'response_format',
    }),
    null,
    'response_format',
    '`response_format` is not a schema that this model takes. In strict mode each object needs `"additionalProperties": false` and lists all its properties in `required`.',
  ],
  [
    'Anthropic: tool results',
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01A09q90qw90lq917835lq9. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      },
    },
    null,
    null,
    'Tool calls and their results do not belong together: each call needs its result right after it, with the same id.',
  ],
  [
    'vLLM: roles',
    {
      object: 'error',
      message: 'Conversation roles must alternate user/assistant/user/assistant/...',
      type: 'BadRequestError',
      code: 400,
    },
    null,
    null,
    'The messages must alternate between `user` and `assistant` for this model.',
  ],
];

describe('a client’s mistake is told in our own words', () => {
  test.each(bodies)('%s', (_, body, code, param, message) => {
    expect(toClientError(body)).toEqual({
      status: 400,
      type: 'invalid_request_error',
      code,
      param,
      message,
    });
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
    expect(toClientError(error({ message, param: 'messages' }))).toEqual({
      status: 400,
      type: 'invalid_request_error',
      code: null,
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
  expect(toClientError(error({ message }))).toMatchObject({ status: 502, code: 'upstream_error' });
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
  const inserted = fc.tuple(fc.constantFrom(...bodies), fc.constantFrom(...secrets), fc.nat(400));
  fc.assert(
    fc.property(inserted, ([[, body], secret, at]) => {
      const poisoned = insertInto(body, secret, at);
      expect(JSON.stringify(toClientError(poisoned))).not.toContain(secret);
    }),
    { numRuns: 2000 },
  );
});

/** Puts a text into every string of a body, at the given place or the end. */
function insertInto(value: unknown, text: string, at: number): unknown {
  if (typeof value === 'string') return `${value.slice(0, at)}${text}${value.slice(at)}`;
  if (Array.isArray(value)) return value.map((one) => insertInto(one, text, at));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, insertInto(one, text, at)]);
  return Object.fromEntries(entries);
}

test('any text is read in no time', () => {
  fc.assert(
    fc.property(fc.array(anyText()), fc.integer({ min: 1, max: 400 }), (parts, times) => {
      const message = parts.join(' ').repeat(times);
      expect(toClientError(error({ message })).message.length).toBeLessThan(300);
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
  for (const param of [
    'frob',
    'org-a1',
    'gpu.vendor',
    'messages.blue',
    '',
    'a b',
    '../x',
    7,
    null,
  ]) {
    expect(toPublicParam(param, sent)).toBeNull();
  }
});
