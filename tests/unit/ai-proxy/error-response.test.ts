import { expect, test } from 'vitest';
import {
  toMessagesErrorBody,
  toMessagesErrorResponse,
  toOpenAiErrorResponse,
} from '#lib/ai-proxy/error-response.ts';
import { HttpError } from '#lib/http/errors/errors.ts';

test.each([
  [400, {}, 'false'],
  [401, {}, 'false'],
  [402, {}, 'false'],
  [404, {}, 'false'],
  [429, { 'Retry-After': '1' }, null],
  [502, {}, null],
  [502, { 'x-should-retry': 'false' }, 'false'],
])('clients are told whether to repeat a %s', (status, headers, expected) => {
  const error = new HttpError(status, { message: 'No.', headers });
  for (const respond of [toOpenAiErrorResponse, toMessagesErrorResponse]) {
    const { response } = respond(error, undefined, new Request('http://localhost/'));
    expect(response.headers.get('x-should-retry')).toBe(expected);
  }
});

test.each([
  [{}, 'overloaded_error'],
  // Claude Code repeats an overloaded_error all the same.
  [{ 'x-should-retry': 'false' }, 'api_error'],
])('the Messages type of a 503 with %o is %s', (headers, type) => {
  const error = new HttpError(503, { message: 'No.', headers });
  expect(toMessagesErrorBody(error).error.type).toBe(type);
});
