import { expect, test } from 'vitest';
import { toMessagesErrorBody } from '#lib/ai-proxy/error-response.ts';
import { toResponseFailure } from '#lib/ai-proxy/upstreams/errors/upstream-error.ts';

/** What Claude Code 2.1 looks for in the message of a 400, and the text of Anthropic’s API that it is made for. */
test.each([
  [
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    [/signature in thinking block/i],
  ],
  [
    'messages.1.content.0.thinking.signature: Field required',
    [/thinking\.signature/i, /field required/i],
  ],
  [
    'messages.3.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
    [
      /thinking block|redacted_thinking/i,
      /`?(thinking|redacted_thinking)`?\s+(or\s+`?redacted_thinking`?\s+)?blocks?\s+.{0,60}cannot be modified/i,
    ],
  ],
  ['adaptive thinking is not supported on this model', [/adaptive thinking is not supported/]],
  [
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    [/thinking\.type[^a-z]{1,8}(enabled).*?not supported/i],
  ],
  ['This model does not support the effort parameter.', [/effort parameter/, /not support/]],
  [
    'output_config: Extra inputs are not permitted',
    [/output_config/, /extra inputs are not permitted/i],
  ],
  [
    'context_management: Extra inputs are not permitted',
    [/context_management/, /extra inputs are not permitted/i],
  ],
  [
    "messages.4.role: Input should be 'user' or 'assistant'",
    [/Input should be 'user' or 'assistant'/],
  ],
  [
    'prompt is too long: 203456 tokens > 200000 maximum',
    [/prompt is too long[^0-9]*203456\s*tokens?\s*>\s*200000/i],
  ],
  [
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    [/input length and `max_tokens` exceed context limit: 188240 \+ 21333 > 200000/],
  ],
  [
    'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    [/`tool_use` ids were found without `tool_result` blocks immediately after/],
  ],
  [
    'messages.0.content.1: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    [/unexpected `tool_use_id` found in `tool_result`/],
  ],
  ['messages.3.content.1: `tool_use` ids must be unique', [/`tool_use` ids must be unique/]],
  [
    'messages.1.content.0: text content blocks must contain non-whitespace text',
    [/text content blocks must be non-empty/],
  ],
  [
    'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
    [/^`messages\[0\]\.content\[1\]\.source`: image exceeds 5 MB maximum/],
  ],
  [
    'messages.41.content.31.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    [/image dimensions exceed/, /many-image/, /2000/],
  ],
  [
    'messages.3.content.50.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
    [/image dimensions exceed 8000 pixels\./],
  ],
  [
    'messages.0.content.0.image.source.base64.data: Image does not match the provided media type image/png',
    [/image does not match the provided media type/],
  ],
  ['A maximum of 100 PDF pages may be provided.', [/maximum of \d+ PDF pages/]],
  [
    'messages.0.content.0.document.source.base64.data: The PDF specified is password protected.',
    [/The PDF specified is password protected/],
  ],
  ['The PDF specified was not valid.', [/The PDF specified was not valid/]],
])('an agent recovers from “%s”', (message, words) => {
  const body = { type: 'error', error: { type: 'invalid_request_error', message } };
  const sent = '{"output_config":{},"context_management":{}}';
  const { error } = toResponseFailure({ status: 400, body, retryAfterMs: null, sent });
  expect(error.status).toBe(400);
  for (const text of words) expect(toMessagesErrorBody(error).error.message).toMatch(text);
});
