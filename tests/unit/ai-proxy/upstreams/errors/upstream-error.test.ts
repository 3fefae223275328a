import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readErrorBody, readPlainError } from '#lib/ai-proxy/upstreams/errors/error-body.ts';
import { toErrorInBody } from '#lib/ai-proxy/upstreams/errors/reported-error.ts';
import { toResponseFailure } from '#lib/ai-proxy/upstreams/errors/upstream-error.ts';
import { isHttpError } from '#lib/http/errors/errors.ts';

const toFailure = (status: number, body: unknown, retryAfterMs: number | null = null) =>
  toResponseFailure({ status, body, retryAfterMs });

test.for([
  [400, 400, 'healthy'],
  [401, 502, 'healthy'],
  [402, 502, 'healthy'],
  [403, 502, 'healthy'],
  [405, 502, 'healthy'],
  [408, 504, 'failed'],
  [413, 413, 'healthy'],
  [422, 422, 'healthy'],
  [429, 429, 'healthy'],
  [500, 502, 'failed'],
  [502, 502, 'failed'],
  [503, 502, 'failed'],
  [504, 504, 'failed'],
  [520, 502, 'failed'],
  [524, 504, 'failed'],
  [529, 503, 'failed'],
  [301, 502, 'failed'],
  [201, 502, 'failed'],
] as const)('status %i becomes %i, and shows %s of the upstream', ([status, shown, health]) => {
  const failure = toFailure(status, undefined);
  expect([failure.error.status, failure.health]).toEqual([shown, health]);
});

test('a 404 in OpenAI’s format is about the model, any other about the URL', () => {
  const known = toFailure(404, { error: { message: 'x', code: 'model_not_found' } }).error;
  expect(known).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
  expect(toFailure(404, { detail: 'Not Found' }).error).toMatchObject({ status: 502 });
});

test.for([
  { code: 'context_length_exceeded', message: 'x' },
  { code: 400, message: "This endpoint's maximum context length is 8192 tokens." },
  { code: null, message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  { code: null, message: 'The input exceeds the context window of this model.' },
])('%j means that the prompt is too long', (error) => {
  expect(toFailure(400, { error }).error).toMatchObject({
    status: 400,
    code: 'context_length_exceeded',
  });
});

const overflow = 'context_length_exceeded';

test.for([
  // llama.cpp, and what is built on it
  [
    500,
    { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } },
    overflow,
  ],
  [
    500,
    { error: { code: 500, message: 'context shift is disabled', type: 'server_error' } },
    overflow,
  ],
  [
    500,
    {
      error: {
        code: 500,
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 1407,
        n_ctx: 256,
      },
    },
    overflow,
  ],
  [
    500,
    {
      error: {
        code: 500,
        message:
          'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
        type: 'server_error',
      },
    },
    'unsupported_parameter',
  ],
  [
    500,
    { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } },
    'unsupported_parameter',
  ],
  [
    500,
    { error: { code: 500, message: 'Unsupported param: tools', type: 'server_error' } },
    'unsupported_parameter',
  ],
  // Ollama
  [500, { error: 'the input length exceeds the context length' }, overflow],
  // vLLM behind a server of its own, and gateways
  [
    500,
    {
      detail:
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    },
    overflow,
  ],
  [
    502,
    {
      error: {
        message: 'upstream: prompt is too long: 210000 tokens > 200000 maximum',
        type: 'new_api_error',
      },
    },
    overflow,
  ],
  [
    503,
    {
      error: {
        message: 'No route: Your input exceeds the context window of this model.',
        code: 503,
      },
    },
    overflow,
  ],
] as const)(
  'a %i that says what is wrong with the request is a 400: %j',
  ([status, body, code]) => {
    expect(toFailure(status, body)).toMatchObject({
      error: { status: 400, code, isRetryable: true },
      health: 'unknown',
    });
  },
);

test('an upstream that quotes what its model wrote teaches nothing, and nothing of it is a mistake', () => {
  const quoted = 'max_tokens is too large: 9. This model supports at most 8 completion tokens';
  for (const message of [
    `Failed to parse input at pos 12: ${quoted}`,
    `error parsing tool call: raw='{"note":"the context window"}', err=unexpected end of JSON input`,
  ]) {
    expect(toFailure(500, { error: { code: 500, message } })).toMatchObject({
      error: { status: 502, code: 'upstream_error', rejectedBound: null, rejectedFields: [] },
      health: 'unknown',
    });
  }
});

test.for([
  { message: 'The server had an error while processing your request.', type: 'server_error' },
  { message: 'Rate limit reached: too many tokens per minute.' },
  { message: 'llama-server process has terminated: exit status 0xc0000005' },
  { message: 'failed to find a memory slot for batch of size 512' },
  { message: 'Too many tokens, please wait before trying again.' },
  { message: 'Tokens per minute limit exceeded - too many tokens processed.' },
  { message: 'Rate limited: too many tokens in this window' },
  { message: 'finish_reason: unknown variant `eos`, expected `stop`' },
  { message: 'failed to process image' },
  { message: 'Expecting value: line 1 column 1 (char 0)' },
])('a 500 that says %j is a failure of the service', (error) => {
  expect(toFailure(500, { error })).toMatchObject({ error: { status: 502 }, health: 'failed' });
});

test.for([
  { code: 'invalid_api_key', message: 'x' },
  { code: 'billing_hard_limit_reached', message: 'x' },
  { type: 'insufficient_quota', message: 'x' },
  { message: 'API key not valid. Please pass a valid API key.' },
  { message: 'Your API key has expired' },
  // spring-ai-alibaba 1146, bisheng PR 2426
  {
    code: 'Arrearage',
    message: 'Access denied, please make sure your account is in good standing.',
  },
  // gemini-balance 328; gemini-cli 24641, with the body of Google in a message
  { code: 400, message: 'User location is not supported for the API use.' },
  {
    code: 400,
    message:
      '{"error": {"code": 400, "message": "User location is not supported for the API use."}}',
  },
  // experiential PR 993
  { code: 0, message: 'Insufficient quota available for instant inference. trace_id: acct_7' },
])('%j in a 400 is about our account', (error) => {
  expect(toFailure(400, { error })).toMatchObject({
    error: { status: 502, headers: { 'x-should-retry': 'false' } },
    health: 'healthy',
  });
});

// agno 4090, opencode 1018, claude-code-router 295, freellmapi 291
test.for([
  { code: 'tool_use_failed', failed_generation: '<function=look>{}', message: 'x' },
  { message: "Failed to call a function. Please adjust your prompt. See 'failed_generation'." },
])(
  'a call that the service cannot read is the model’s failure, which agents repeat: %j',
  (error) => {
    expect(toFailure(400, { error: { type: 'invalid_request_error', ...error } })).toMatchObject({
      error: { status: 502, code: 'upstream_error', headers: { 'Retry-After-Ms': '500' } },
      health: 'unknown',
    });
  },
);

// tracker 547, subwave 438, hermes-agent 68832, openclaw 58442
test.for([
  {
    message: 'You exceeded your current quota, please check your plan and billing details.',
    type: 'insufficient_quota',
    code: 'insufficient_quota',
  },
  'you (acct_7) have reached your weekly usage limit, upgrade for higher limits: https://example.com (ref: 1)',
  "you've reached your hourly usage limit, please wait or upgrade to continue",
  { code: 'AccountQuotaExceeded', message: 'You have exceeded the 5-hour usage quota.' },
  { type: 'usage_limit_reached', message: 'The usage limit has been reached' },
  // kimi-code PR 1857, opencode 24462
  { message: 'Your account acct_7 is suspended', type: 'exceeded_current_quota_error' },
  {
    message: 'Error from provider: Provider returned error',
    code: 429,
    metadata: {
      raw: '{"error":{"message":"Your account acct_7 is suspended due to insufficient balance"}}',
    },
  },
  // experiential PR 958
  { code: '1113', message: 'Insufficient balance or no resource package. Please recharge.' },
  { code: '1113', message: 'x' },
  { code: '1308', message: 'Usage limit reached for 5 hour. Your limit will reset at 12:00.' },
])('a 429 is about our account where nothing is left of it: %j', (error) => {
  const { status, headers, message, isRetryable } = toFailure(429, { error }).error;
  expect([status, headers, isRetryable]).toEqual([502, { 'x-should-retry': 'false' }, true]);
  expect(message).not.toContain('acct_7');
});

test.for([
  // Google says so of each minute, too.
  { message: 'You exceeded your current quota, please check your plan and billing details.' },
  { code: 'rate_limit_exceeded', type: 'tokens', message: 'Rate limit reached for gpt-5' },
  { type: 'rate_limit_error', message: 'This request would exceed the rate limit.' },
])('any other 429 passes: %j', (error) => {
  expect(toFailure(429, { error }).error).toMatchObject({
    status: 429,
    headers: { 'Retry-After': '10' },
  });
});

// vercel/ai 18627, jp PR 1061
test.for([
  ['45.8s', '46'],
  ['7s', '7'],
  ['3600s', '60'],
  ['-1s', '10'],
  ['soon', '10'],
] as const)('Google’s retryDelay %s is a Retry-After of %s s', ([retryDelay, seconds]) => {
  const error = {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: 'You exceeded your current quota, please check your plan and billing details.',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.Help' },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
    ],
  };
  const failures = [
    toFailure(429, { error }),
    toFailure(429, [{ error }]),
    toErrorInBody({ error }),
  ];
  for (const failure of failures) {
    expect(failure?.error).toMatchObject({ status: 429, headers: { 'Retry-After': seconds } });
  }
});

// aider 3265, kilocode PR 14269
test.for([
  ['Limit 15000, Requested 4351. Please try again in 5.289s. Visit', '6'],
  ['You exceeded your quota. Please retry in 43.52s.', '44'],
  ['Please retry after 12 seconds.', '12'],
  ['Please try again in 650ms.', '1'],
  ['Please try again in 1m2.5s.', '60'],
  ['Please try again in 2h3m4s.', '60'],
  ['Please try again in a while.', '10'],
  ['Please try again in 1.2.3s.', '10'],
] as const)('a 429 that says %j has a Retry-After of %s s', ([message, seconds]) => {
  expect(toFailure(429, { error: { message } }).error.headers).toEqual({ 'Retry-After': seconds });
  expect(toFailure(429, { error: { message } }, 3000).error.headers).toEqual({
    'Retry-After': '3',
  });
});

// opencode 39620, opencode 13015
test.for([
  { __type: 'ThrottlingException', message: 'Too many tokens, please wait before trying again.' },
  { message: 'Too many tokens per day, please wait before trying again.' },
  { error: { message: 'ThrottlingException: Too many requests' } },
])('a 400 that throttles is no prompt that is too long: %j', (body) => {
  expect(toFailure(400, body)).toMatchObject({
    error: { status: 429, code: 'rate_limit_exceeded' },
    health: 'healthy',
  });
});

// new-api PR 6310, claude-code-hub 1290
test.for([
  [503, { code: 'model_not_found', message: 'No available channel for model m', type: 'x' }],
  [400, { code: 'model_not_found', message: 'x' }],
  [400, { code: 400, message: 'vendor/m is not a valid model ID' }],
  // bedrock-access-gateway 73
  [
    500,
    'An error occurred (ValidationException) when calling the Converse operation: Invocation of model ID anthropic.m with on-demand throughput isn’t supported.',
  ],
] as const)('a model that is missing is one, whatever the status: %i %j', ([status, error]) => {
  const { error: shown, health } = toFailure(status, { error });
  expect(shown).toMatchObject({ status: 404, code: 'model_not_found', isRetryable: true });
  expect(health).not.toBe('failed');
});

test('upstream error codes are passed on only if clients know them', () => {
  const codeOf = (code: string) => toFailure(400, { error: { message: 'x', code } }).error.code;
  expect(codeOf('unsupported_parameter')).toBe('unsupported_parameter');
  expect(codeOf('string_above_max_length')).toBeNull();
});

test('an error in a 200 response is an error, with the status that it names', () => {
  expect(toErrorInBody({ id: 'x', choices: [] })).toBeNull();
  expect(toErrorInBody({ error: null })).toBeNull();
  expect(toErrorInBody(null)).toBeNull();
  expect(toErrorInBody({ error: { code: 429, message: 'x' } })?.error.status).toBe(429);
  expect(toErrorInBody({ error: { code: '400', message: 'x' } })?.error.status).toBe(400);
  expect(toErrorInBody({ error: { code: 'server_error', message: 'x' } })?.error.status).toBe(502);
  expect(toErrorInBody({ error: 'overloaded' })?.error.status).toBe(502);
  expect(toErrorInBody({ error: { code: 200 } })?.error.status).toBe(502);
});

test('any error response becomes an error of our own with a valid status', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 999 }),
      fc.oneof(fc.jsonValue(), fc.record({ error: fc.jsonValue() })),
      fc.option(fc.nat()),
      (status, body, retryAfterMs) => {
        const { error } = toFailure(status, body, retryAfterMs);
        expect(isHttpError(error)).toBe(true);
        expect([400, 404, 413, 422, 429, 502, 503, 504]).toContain(error.status);
        const seconds = Number(error.headers['Retry-After'] ?? 1);
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(seconds).toBeLessThanOrEqual(60);
      },
    ),
  );
});

test.each([
  [
    'an error',
    (long: string) => ({ error: { message: long, code: long, type: long, param: long } }),
  ],
  [
    'an error in its detail',
    (long: string) => ({ object: 'error', message: long, code: long, type: long }),
  ],
  [
    'an error behind a gateway',
    (long: string) => ({
      error: {
        message: '',
        metadata: { raw: JSON.stringify({ error: { message: long, status: long } }) },
      },
    }),
  ],
  [
    'an error of validation',
    (long: string) => ({ detail: [{ msg: long, type: long, loc: ['body', long] }] }),
  ],
  ['an error in no known form', (long: string) => ({ message: long, code: long })],
])('of %s 2,000 characters are read, and 200 of a name', (_, toBody) => {
  const body = toBody('max_tokens'.repeat(590));
  const errors = [...readErrorBody(body), ...readPlainError(body)];
  expect(errors.length).toBeGreaterThan(0);
  for (const { message, ...names } of errors) {
    expect(message).toHaveLength(2000);
    for (const name of Object.values(names)) expect(String(name).length).toBeLessThanOrEqual(200);
  }
});

test.for([
  [3, 'slow down'],
  [100_000, ''],
] as const)('of %i bodies within each other, the message is %j', ([levels, message]) => {
  let error: unknown = 'slow down';
  for (let level = 0; level < levels; level += 1) error = { message: error };
  expect(readErrorBody({ error })).toMatchObject([{ message }]);
});
