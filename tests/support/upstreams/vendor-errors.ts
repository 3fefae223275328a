/** Error bodies in the shape of each vendor. */

export const openAiError = (message: string, fields: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...fields },
});

export const anthropicError = (message: string) => ({
  type: 'error',
  error: { type: 'invalid_request_error', message },
  request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
});

export const vllmError = (message: string) => ({
  object: 'error',
  message,
  type: 'BadRequestError',
  param: null,
  code: 400,
});

export const googleError = (message: string) => [
  { error: { code: 400, message, status: 'INVALID_ARGUMENT' } },
];

export const mistralError = (detail: object) => ({
  object: 'error',
  message: { detail: [detail] },
  type: 'invalid_request_error',
});

/** With the body of the provider behind it. */
export const openRouterError = (behind: object) => ({
  error: {
    message: 'Provider returned error',
    code: 400,
    metadata: { raw: JSON.stringify(behind), provider_name: 'OpenAI' },
  },
  user_id: 'org_2xAbCdEf5',
});

/** The same text names the bound of a reply and a prompt that is too long. */
export const contextOfVllm = vllmError(
  "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion). Please reduce the length of the messages or completion.",
);

export const boundOfOpenAi = openAiError(
  'max_tokens is too large: 50000. This model supports at most 4096 completion tokens, whereas you provided 50000.',
  { param: 'max_tokens', code: 'invalid_value' },
);

export const boundOfAnthropic = anthropicError(
  'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022',
);

export const otherFieldOfOpenAi = openAiError(
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  { param: 'max_tokens', code: 'unsupported_parameter' },
);
