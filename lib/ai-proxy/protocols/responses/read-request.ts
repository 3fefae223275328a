import type { JsonObject } from '#lib/http/json-value.ts';
import { estimateRequest, type MediaCount } from '#lib/spend/usage/estimate-tokens.ts';
import { replyTokensMin } from '../chat/read-request.ts';
import { isReasoningToken } from '../chat/reasoning.ts';
import { check, rejectFields, rejectStoredReferences, unsupportedField } from '../json/check.ts';
import { rejectOtherApi, toDocumentedForm } from '../json/other-forms.ts';
import { type InputItem, readInput } from './read-input.ts';
import { type ResponsesOptions, responsesOptionsSchema } from './schema.ts';

/** A validated Responses request. */
export type ResponsesRequest = Readonly<{
  model: string;
  /** All models that may reply, `model` first: the key must allow each. */
  models: readonly string[];
  isStream: boolean;
  /** The most tokens of the reply; null if the client set no limit. */
  outputTokensMax: number | null;
  promptTokensEstimate: number;
  media: MediaCount;
  /** The shortest reply that is of use. */
  outputTokensMin: number;
  options: ResponsesOptions;
  input: readonly InputItem[];
  /** The validated body, for an upstream that supports Responses: see `toNativeBody`. */
  body: JsonObject;
}>;

/**
 * Reads a Responses request. @throws HttpError 400 whose `param` is the first invalid
 * field; `unsupported_parameter` for what needs a server that stores conversations.
 */
export function readResponsesRequest(received: JsonObject): ResponsesRequest {
  rejectOtherApi(received, 'input');
  const body = toDocumentedForm(received, ['max_output_tokens']);
  rejectState(body);
  const options = check(responsesOptionsSchema, body);
  rejectStoredReferences(options.tools, ['tools']);
  const input = readInput(body.input);
  const { tokens, media } = estimateRequest(body);
  return {
    model: options.model,
    models: [options.model, ...(options.models ?? [])],
    isStream: options.stream === true,
    outputTokensMax: options.max_output_tokens ?? null,
    promptTokensEstimate: tokens,
    media,
    outputTokensMin: replyTokensMin,
    options,
    input,
    body,
  };
}

type Replaced = Readonly<{
  model: string;
  /** The bound of the reply; null: as the client has set it. */
  outputTokensMax: number | null;
  /** The same for tool calls. */
  toolCallsMax: number | null;
}>;

/** The body for an upstream that supports Responses, with its own id of the model and `store: false`. */
export function toNativeBody(
  request: ResponsesRequest,
  { model, outputTokensMax, toolCallsMax }: Replaced,
): string {
  return JSON.stringify({
    ...toStatelessBody(request, model),
    ...(outputTokensMax !== null && { max_output_tokens: outputTokensMax }),
    ...(toolCallsMax !== null && { max_tool_calls: toolCallsMax }),
    store: false,
  });
}

/** The body without what only a server that stores conversations could read. */
export function toStatelessBody({ body, input }: ResponsesRequest, model: string): JsonObject {
  const isText = typeof body.input === 'string';
  const sentInput = isText ? body.input : input.filter(canBeRead).map(({ sent }) => sent);
  const store = (body.store ?? null) === null ? {} : { store: false };
  return { ...body, ...store, model, input: sentInput };
}

/** Reasoning with only an id, or of a translated reply, is meaningless to the upstream. */
function canBeRead({ kind, sent }: InputItem): boolean {
  if (kind !== 'reasoning') return true;
  const { encrypted_content: encrypted, content } = sent;
  return encrypted ? !isReasoningToken(encrypted) : Array.isArray(content);
}

const statefulFields: Readonly<Record<string, string>> = {
  previous_response_id:
    'This server stores no responses: send the whole conversation in `input`, without `previous_response_id`.',
  conversation:
    'This server stores no conversations: send all turns in `input`, without `conversation`.',
  prompt:
    'This server has no stored prompts: send the text in `instructions` and `input`, without `prompt`.',
};

function rejectState(body: JsonObject): void {
  rejectFields(body, statefulFields);
  if (body.background) {
    throw unsupportedField(
      ['background'],
      'Nothing runs in the background here: leave out `background`, and set `stream: true` for long replies.',
    );
  }
}
