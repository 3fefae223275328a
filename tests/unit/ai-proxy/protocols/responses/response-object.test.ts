import { expect, test } from 'vitest';
import { readResponsesResult } from '#lib/ai-proxy/protocols/responses/response-object.ts';
import { toJsonObject } from '#lib/http/json-value.ts';
import {
  createRequest,
  createTranslation,
} from '../../../../support/upstreams/responses-request.ts';
import { findResponseProblems } from '../../../../support/upstreams/responses-stream.ts';
import { failureOf, resultOf } from '../../../../support/upstreams/result-of.ts';

const request = createRequest({ temperature: 0.5 });
const read = (value: unknown) =>
  readResponsesResult(typeof value === 'string' ? value : JSON.stringify(value), request, {
    ...createTranslation(),
    toClientItem: toJsonObject,
  });
const readWell = (value: unknown) => resultOf(read(value));

test('missing documented fields are added, existing ones stay', () => {
  const { result, usage } = readWell({
    id: 'resp_up',
    created_at: 1_760_000_000.7,
    model: 'maker/model-1',
    status: 'completed',
    temperature: null,
    top_p: 0.9,
    store: true,
    custom: 1,
    output: [
      { type: 'reasoning', id: 'rs_1' },
      { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] },
      { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f', arguments: '{}' },
    ],
    usage: {
      input_tokens: 3,
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 1 },
      cost: 0.1,
    },
  });
  expect(findResponseProblems(result)).toEqual([]);
  expect(result).toMatchObject({
    id: 'resp_up',
    object: 'response',
    created_at: 1_760_000_000,
    model: 'maker/model-1',
    temperature: 0.5,
    top_p: 0.9,
    store: false,
    custom: 1,
    output: [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      {
        type: 'message',
        id: 'item_resp_up_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }],
      },
      { type: 'function_call', status: 'completed' },
    ],
    usage: {
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 1 },
      total_tokens: 7,
      cost: 0.1,
    },
  });
  expect(usage).toMatchObject({ inputTokens: 3, outputTokens: 4, isEstimated: false });
});

test('a truncated result stays incomplete', () => {
  const cut = {
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [],
  };
  expect(readWell(cut).result).toMatchObject(cut);
});

test('missing usage is estimated', () => {
  const output = [{ type: 'message', content: [{ type: 'output_text', text: 'x'.repeat(400) }] }];
  const { usage } = readWell({ output });
  expect(usage.isEstimated).toBe(true);
  expect(usage.outputTokens).toBeGreaterThanOrEqual(100);
});

test.each([
  ['<html>', 502],
  ['{}', 502],
  ['{"output":"x"}', 502],
  ['{"status":"failed","output":[],"error":{"message":"acct_7","code":"server_error"}}', 502],
  ['{"error":{"message":"acct_7","code":"rate_limit_exceeded"}}', 429],
])('%s in a 200 response is an error with status %i and our own message', (text, status) => {
  const error = failureOf(read(text)).error;
  expect(error.status).toBe(status);
  expect(error.message).not.toContain('acct_7');
});
