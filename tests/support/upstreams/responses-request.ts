import { parseJsonBody } from '#lib/ai-proxy/protocols/json/parse-json.ts';
import {
  type ResponsesRequest,
  readResponsesRequest,
} from '#lib/ai-proxy/protocols/responses/responses-request.ts';
import type { NewId } from '#lib/ai-proxy/protocols/responses-over-chat/translator.ts';
import { toBody } from './proxy-errors.ts';
import { unmarked } from './unmarked.ts';

/** A validated Responses request. */
export function createRequest(fields: object = {}): ResponsesRequest {
  return readResponsesRequest(
    parseJsonBody(toBody({ model: 'requested/model', input: 'Hello', ...fields })),
  );
}

/** Deterministic ids (`msg_1`, `fc_2`, …) and a fixed clock for translations. */
export function createTranslation() {
  let count = 0;
  const newId: NewId = (prefix) => `${prefix}_${++count}`;
  return {
    id: 'resp_1',
    createdAt: 1_760_000_000,
    newId,
    now: () => 1_760_000_009,
    reasoning: unmarked,
  };
}
