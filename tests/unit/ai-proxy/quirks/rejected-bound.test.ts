import { expect, test } from 'vitest';
import { toResponseFailure } from '#lib/ai-proxy/upstreams/errors/upstream-error.ts';
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
} from '../../../support/upstreams/vendor-errors.ts';

const readBound = (body: unknown, status = 400, sent = '') =>
  toResponseFailure({ status, body, retryAfterMs: null, sent }).error.rejectedBound;

const error = openAiError;
const unprocessable = (body: unknown) => readBound(body, 422);
const unaffordable = (body: unknown) => readBound(body, 402);

test.for<[server: string, body: unknown, outputTokensMax: number | null, read?: typeof readBound]>([
  ['OpenAI', boundOfOpenAi, 4096],
  [
    'OpenAI, Responses',
    error(
      "Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 16384, but got 50000 instead.",
      { param: 'max_output_tokens', code: 'integer_above_max_value' },
    ),
    16_384,
  ],
  ['Anthropic', boundOfAnthropic, 8192],
  [
    'Anthropic, of the context',
    anthropicError(
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
    ),
    10_000,
  ],
  [
    'OpenRouter, of its credits',
    error(
      'This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 2412. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account',
    ),
    2412,
    unaffordable,
  ],
  [
    'OpenRouter, of credits that are nearly spent',
    error('You requested up to 65536 tokens, but can only afford 1234.'),
    1234,
    unaffordable,
  ],
  [
    'OpenRouter, of the context',
    error(
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 140010 tokens (10 of text input, 140000 in the output). Please reduce the length of either one.",
    ),
    131_062,
  ],
  [
    'OpenRouter, with the body of the server behind it',
    openRouterError(error('max_tokens: 50000 > 8192, which is the maximum allowed')),
    8192,
  ],
  ['vLLM', contextOfVllm, 5480],
  [
    'vLLM, of a newer version',
    error(
      "'max_tokens' or 'max_completion_tokens' is too large: 40000. This model's maximum context length is 32768 tokens and your request has 1200 input tokens (40000 > 32768 - 1200).",
    ),
    31_568,
  ],
  [
    'vLLM, with the least of the prompt',
    error(
      "This model's maximum context length is 8192 tokens. However, you requested 9000 output tokens and your prompt contains at least 10 input tokens, for a total of at least 9010 tokens. Please reduce the length of the input prompt or the number of requested output tokens.",
    ),
    8182,
  ],
  [
    'Groq',
    error(
      '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    ),
    8192,
  ],
  ['DeepSeek', error('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'), 8192],
  ['Qwen', error('Range of max_tokens should be [1, 16384]'), 16_384],
  [
    'TGI',
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 500 `inputs` tokens and 5000 `max_new_tokens`',
      error_type: 'validation',
    },
    3597,
    unprocessable,
  ],
  [
    'Google',
    googleError(
      'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive). Update the value and try again.',
    ),
    65_536,
  ],
  [
    'LiteLLM, before OpenAI',
    error(
      'litellm.BadRequestError: OpenAIException - max_tokens is too large: 50000. This model supports at most 4096 completion tokens, whereas you provided 50000.',
    ),
    4096,
  ],
  [
    'Mistral',
    mistralError({
      type: 'less_than_equal',
      loc: ['body', 'max_tokens'],
      msg: 'Input should be less than or equal to 32768',
      ctx: { le: 32_768 },
    }),
    32_768,
    unprocessable,
  ],
  ['a server without a number', error('max_tokens is above what this model takes'), null],
])('%s names the bound that it takes', ([, body, outputTokensMax, read = readBound]) => {
  expect(read(body)).toMatchObject({ outputTokensMax });
});

test.for<[body: unknown, isOfModel: true | undefined]>([
  [boundOfOpenAi, true],
  [boundOfAnthropic, true],
  [contextOfVllm, undefined],
  [error('You requested up to 65536 tokens, but can only afford 1234.'), undefined],
])('%j holds for any request: %s', ([body, isOfModel]) => {
  expect(readBound(body)?.isOfModel).toBe(isOfModel);
});

test('a server that takes the bound in another field names that', () => {
  const { error } = toResponseFailure({
    status: 400,
    body: otherFieldOfOpenAi,
    retryAfterMs: null,
  });
  expect(error.rejectedFields).toEqual([{ name: 'max_tokens', values: ['max_completion_tokens'] }]);
  expect(error.rejectedBound).toBeNull();
});

const tooLarge = 'max_tokens is too large: 50000. This model supports at most 7 completion tokens';
const otherName = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
const noCredits = 'You requested up to 65536 tokens, but can only afford 7';
const requestOf = (content: string) =>
  JSON.stringify({ model: 'm', max_tokens: 50_000, messages: [{ role: 'user', content }] });

test.for([tooLarge, otherName, noCredits, `${'x'.repeat(40)} ${tooLarge}`])(
  'a prompt that is quoted in an error picks no bound: %s',
  (prompt) => {
    const sent = requestOf(prompt);
    const messages = [
      `Invalid content: '${prompt}'`,
      `Invalid content: "${prompt}"`,
      `Invalid content (${prompt})`,
      `Your prompt was flagged: ${prompt}`,
      prompt,
      `${prompt} is not what this model takes`,
    ];
    for (const message of messages) {
      for (const status of [400, 402, 422]) {
        expect(readBound(error(message), status, sent), message).toBeNull();
      }
      const param = 'messages[0].content';
      expect(readBound(error(message, { param }), 400, sent)).toBeNull();
    }
  },
);

test('a name alone may be the prompt’s, but picks no number', () => {
  for (const prompt of ['max_tokens', 'max_tokens 7', 'max_tokens: 7 > 5']) {
    const found = readBound(error(`Invalid content: '${prompt}'`), 400, requestOf(prompt));
    expect(found?.outputTokensMax ?? null).toBeNull();
  }
});

test('a number that stands in the prompt does not replace the one of the server', () => {
  expect(readBound(boundOfOpenAi, 400, requestOf(tooLarge))).toMatchObject({
    outputTokensMax: 4096,
  });
});

test.for<[about: string, body: unknown]>([
  [
    'a prompt that is too long, by Mistral',
    error(
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      { code: '3051' },
    ),
  ],
  ['a prompt that is too long', error('prompt is too long: 210000 tokens > 200000 maximum')],
  [
    'a prompt that alone fills the context',
    error(
      "This model's maximum context length is 6048 tokens. However, you requested 9016 tokens (9000 in the messages, 16 in the completion).",
    ),
  ],
  [
    'a bound that is too small',
    error(
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 10 instead.",
    ),
  ],
  ['thinking', error('`max_tokens` must be greater than `thinking.budget_tokens`.')],
  [
    'another field',
    error("Unsupported parameter: 'temperature' is not supported with this model."),
  ],
  ['nothing', undefined],
])('an error about %s rejects no bound', ([, body]) => {
  expect(readBound(body)).toBeNull();
});

test('a rate limit or a failure rejects no bound, whatever its text', () => {
  const body = error('max_tokens is too large: 9. This model supports at most 8 completion tokens');
  for (const status of [401, 403, 429, 500, 503]) expect(readBound(body, status)).toBeNull();
});
